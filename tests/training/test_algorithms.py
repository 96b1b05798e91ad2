"""Every algorithm learns, is saved, played and gone on with in the same way."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from dino_training import checkpoint
from dino_training.checkpoint import CheckpointError
from dino_training.config import Config, ConfigError
from dino_training.dqn import MaskedDQN
from dino_training.learner import REPLAY, Learner
from dino_training.policy import EXPLORING, Net, NetAgent, NetLayout
from dino_training.train import Run, resumed_config, train
from safetensors.numpy import save as save_arrays

from dino_envs.agents import make_agent
from dino_envs.engine import Game
from dino_envs.evaluation import evaluate

from .conftest import hashed_choice, make_env, play, quiet
from .conftest import small_of as small

ALGORITHMS = ["maskable_ppo", "ppo", "dqn"]


class StoppedError(Exception):
    pass


def stopped_run(out: Path, config: Config, steps: int) -> None:
    """Trains a run that fails right after the checkpoint of so many steps."""
    save = Run.save

    def stopping(run: Run) -> Path:
        written = save(run)
        if run.learner.steps >= steps:
            raise StoppedError
        return written

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "save", stopping)
        with pytest.raises(StoppedError):
            train("dino_dice", config, out, console=quiet())


@pytest.mark.parametrize(("algorithm", "steps"), [("ppo", 768), ("dqn", 256), ("dqn", 768)])
def test_a_resumed_run_equals_an_uninterrupted_one(
    tmp_path: Path, dice: Game, algorithm: str, steps: int
) -> None:
    config, out = small(algorithm), tmp_path / "halves"
    train("dino_dice", config, tmp_path / "whole", console=quiet())
    stopped_run(out, config, steps)
    train("dino_dice", resumed_config(dice, out), out, resume=True, console=quiet())
    whole, halves = (checkpoint.load(folder, dice) for folder in (tmp_path / "whole", out))
    for key in ("steps", "updates", "games", "snapshots_added", "optimizer", "network"):
        assert whole.description[key] == halves.description[key], key
    names = [name for name in whole.description["files"] if name.endswith(".safetensors")]
    assert (REPLAY in names) == (algorithm == "dqn")
    for name in names:
        one, two = whole.arrays(name), halves.arrays(name)
        assert one.keys() == two.keys()
        assert all(np.array_equal(one[key], two[key]) for key in one), name


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_was_learnt_plays(tmp_path: Path, dice: Game, algorithm: str) -> None:
    out = tmp_path / "run"
    train("dino_dice", small(algorithm, "total_steps=512"), out, console=quiet())
    for spec in (f"checkpoint:{out}", f"checkpoint:{out},sample=true"):
        assert evaluate(dice, spec, "random", games=40).illegal_moves == 0
    env = make_env(dice, 64)
    observations, masks = env.reset(), env.action_masks()
    found = make_agent(f"checkpoint:{out}", dice).act(
        observations, masks.astype(np.int8), np.zeros(64, np.uint64)
    )
    learner = Learner(dice, small(algorithm))
    learner.restore(checkpoint.load(out, dice))
    policy, seen = learner.model.policy, torch.from_numpy(observations)
    if algorithm == "dqn":
        shown = learner.model.env._view(observations, masks.astype(np.int8))
        values = policy.q_net(torch.from_numpy(shown))
    else:
        values = policy.get_distribution(seen).distribution.logits
    wanted = values.masked_fill(~torch.from_numpy(masks), -torch.inf).argmax(dim=1)
    np.testing.assert_array_equal(found, wanted.numpy())


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_keeps_its_algorithm(tmp_path: Path, algorithm: str) -> None:
    out = tmp_path / "run"
    train("dino_dice", small(algorithm, "total_steps=256"), out, console=quiet())
    for other in {*ALGORITHMS} - {algorithm}:
        with pytest.raises(ConfigError, match="a resumed run keeps its algorithm"):
            train("dino_dice", small(other), out, resume=True, console=quiet())


def test_a_checkpoint_of_before_there_were_other_algorithms_is_played_and_gone_on_with(
    tmp_path: Path, dice: Game
) -> None:
    out = tmp_path / "run"
    train("dino_dice", small("maskable_ppo", "total_steps=512"), out, console=quiet())
    path = checkpoint.find(out) / checkpoint.DESCRIPTION
    told = json.loads(path.read_text())
    told["format"] = 2
    del told["network"]["kind"], told["games"]["illegal"]
    del told["config"]["algorithm"], told["config"]["dqn"], told["config"]["ppo"]["illegal_penalty"]
    path.write_text(json.dumps(told))
    assert evaluate(dice, f"checkpoint:{out}", "random", games=4).illegal_moves == 0
    config = resumed_config(dice, out)
    assert config == small("maskable_ppo", "total_steps=512")
    longer = small("maskable_ppo", "total_steps=768")
    train("dino_dice", longer, out, resume=True, console=quiet())
    assert checkpoint.load(out, dice).description["steps"] == 768


@pytest.mark.parametrize(
    "settings",
    [
        ("ppo", "ppo.learning_rate=3e-3", "ppo.batch_size=512", "ppo.n_epochs=3"),
        ("dqn", "dqn.buffer_size=50000", "dqn.learning_starts=2000", "dqn.gradient_steps=8",
         "dqn.learning_rate=3e-3", "dqn.batch_size=256", "dqn.target_update_interval=2000"),
    ],
    ids=["ppo", "dqn"],
)  # fmt: skip
def test_a_short_run_beats_random(tmp_path: Path, dice: Game, settings: tuple[str, ...]) -> None:
    config = small(
        *settings, "total_steps=40000", "num_envs=128", "network.hidden=[64]",
        "opponents.shares={random: 1}", "saving.every_steps=0", "options.target=100",
    )  # fmt: skip
    train("dino_dice", config, tmp_path / "run", console=quiet())
    options = {"target": 100}
    spec = f"checkpoint:{tmp_path / 'run'}"
    assert evaluate(dice, spec, "random", games=1000, seed=9, options=options).score > 0.7


# Plain PPO


def test_an_illegal_action_costs_the_penalty_and_a_random_legal_one_is_played(dice: Game) -> None:
    fined, other = make_env(dice, 64, illegal_penalty=0.25, reward_scale=2.0), make_env(dice, 64)
    for env in (fined, other):
        env.reset()
    masks = fined.action_masks()
    illegal = masks.argmin(axis=1)
    assert not masks[np.arange(64), illegal].any()
    _, rewards, done, _ = fined.step(illegal)
    paid = fined.totals[~done]
    np.testing.assert_array_equal(rewards[~done], (paid / 2 - 0.25).astype(np.float32))
    assert fined.illegal == 64
    legal = hashed_choice(other.games.observations, other.action_masks())
    _, rewards, _, _ = other.step(legal)
    assert other.illegal == 0


def test_legal_actions_are_paid_as_without_a_penalty(dice: Game) -> None:
    fined, other = (make_env(dice, 32, illegal_penalty=penalty) for penalty in (0.5, None))
    for one, two in zip(play(fined, 30), play(other, 30), strict=True):
        np.testing.assert_array_equal(one[1], two[1])
    assert fined.illegal == 0


def test_plain_ppo_learns_what_is_legal(tmp_path: Path, dice: Game) -> None:
    shares = []
    for steps in (512, 12288):
        out = tmp_path / f"{steps}"
        settings = ["ppo.learning_rate=1e-2", "ppo.n_epochs=4", "saving.every_steps=0"]
        config = small("ppo", f"total_steps={steps}", *settings)
        train("dino_dice", config, out, console=quiet())
        shares.append(checkpoint.load(out, dice).description["games"]["illegal"] / steps)
    assert shares[1] < 0.8 * shares[0]


# DQN


def filled(dice: Game) -> tuple[MaskedDQN, Learner]:
    """Returns a DQN whose replay buffer is full."""
    learner = Learner(dice, small("dqn", "opponents.shares={greedy: 1}", "dqn.learning_starts=1e6"))
    learner.model.learn(640, log_interval=10**9)
    assert learner.model.replay_buffer.full
    return learner.model, learner


def test_a_position_ends_with_its_mask(dice: Game) -> None:
    model, learner = filled(dice)
    seen = len([p for start, stop in learner.layout.parts for p in range(start, stop)])
    masks = learner.env.action_masks()
    np.testing.assert_array_equal(model.env.observations[:, seen:], masks)
    assert model.env.observation_space.contains(model.env.observations[0])
    buffer = model.replay_buffer
    chosen = np.take_along_axis(buffer.observations[..., seen:], buffer.actions, axis=2)
    whole = np.arange(buffer.buffer_size) != buffer.pos  # a new position, and no action yet
    assert chosen[whole].all()  # what was played was legal


def test_neither_acts_nor_targets_take_an_illegal_action(dice: Game) -> None:
    model, learner = filled(dice)
    with torch.no_grad():  # illegal actions would now be the best by far
        for net in (model.q_net, model.q_net_target):
            net.q_net[-1].bias += 1000.0 * torch.arange(learner.layout.outputs)
    observations = torch.from_numpy(model.env.observations)
    masks = torch.from_numpy(learner.env.action_masks())
    values = model.q_net(observations)
    assert ((values > -torch.inf) == masks).all()
    for deterministic in (True, False):
        model.exploration_rate = 0.5
        chosen, _ = model.predict(model.env.observations, deterministic=deterministic)
        assert masks[torch.arange(len(chosen)), torch.from_numpy(chosen)].all()
    data = model.replay_buffer.sample(512)
    best = model.q_net_target(data.next_observations)
    legal = data.next_observations[:, -learner.layout.outputs :] != 0
    assert (best.max(dim=1).values == best.masked_fill(~legal, -torch.inf).max(dim=1).values).all()
    assert best.max(dim=1).values.isfinite().all()
    ends = data.dones[:, 0] != 0
    assert ends.any()
    assert not ends.all()


def test_the_next_position_in_the_buffer_is_that_after_the_action(dice: Game) -> None:
    model, learner = filled(dice)
    buffer, outputs = model.replay_buffer, learner.layout.outputs
    before = buffer.observations[(buffer.pos - 1) % buffer.buffer_size, :, -outputs:]
    now = buffer.observations[buffer.pos, :, -outputs:]
    goes_on = buffer.dones[(buffer.pos - 1) % buffer.buffer_size] == 0
    np.testing.assert_array_equal(now[goes_on], learner.env.action_masks()[goes_on])
    assert now[~goes_on].all()
    assert (before != now).any()


def q_net(dice: Game) -> Net:
    layout = NetLayout(
        kind="q", inputs=dice.observation.size, parts=((0, dice.observation.size),),
        outputs=dice.actions.size, hidden=(8,), activation="relu",
    )  # fmt: skip
    stream = torch.Generator().manual_seed(1)
    return Net(layout, {k: torch.randn(s, generator=stream) for k, s in layout.shapes().items()})


def test_action_values_explore_now_and_then(dice: Game) -> None:
    env = make_env(dice, 4000)
    observations, masks = env.reset(), env.games.masks
    streams = np.random.default_rng(1).integers(0, 2**63, 4000).astype(np.uint64)
    best, drawn = (
        NetAgent(q_net(dice), sample=sample).act(observations, masks, streams)
        for sample in (False, True)
    )
    assert masks[np.arange(4000), drawn].all()
    alone = 1 / masks.sum(axis=1)
    wanted = EXPLORING * (1 - alone).mean()
    assert abs((best != drawn).mean() - wanted) < 0.01


def test_stable_baselines_loads_it(tmp_path: Path, dice: Game) -> None:
    out = tmp_path / "run"
    train("dino_dice", small("dqn", "total_steps=512"), out, console=quiet())
    model = MaskedDQN.load(checkpoint.find(out) / "sb3.zip", device="cpu")
    learner = Learner(dice, small("dqn"))
    learner.restore(checkpoint.load(out, dice))
    shown = learner.model.env.observations
    wanted, _ = learner.model.predict(shown, deterministic=True)
    np.testing.assert_array_equal(model.predict(shown, deterministic=True)[0], wanted)


@pytest.mark.parametrize("change", [
    {"place": np.array([0, 0, 0], np.int64)}, {"place": np.array([99, 0, 0], np.int64)},
    {"place": np.array([0.0, 1, 0])}, {"place": np.zeros(2, np.int64)},
    {"rewards": np.zeros((16, 31), np.float32)}, {"more": np.zeros(1)},
])  # fmt: skip
def test_another_replay_buffer_is_damage(
    tmp_path: Path, dice: Game, change: dict[str, np.ndarray[Any, Any]]
) -> None:
    from dino_training import disk

    out = tmp_path / "run"
    train("dino_dice", small("dqn", "total_steps=768"), out, console=quiet())
    found = checkpoint.load(out, dice)
    told = dict(found.description)
    files = {name: found.read(name) for name in told.pop("files")}
    files[REPLAY] = save_arrays({**found.arrays(REPLAY), **change})
    disk.write_checkpoint(out, found.folder.name, told, files)
    with pytest.raises(CheckpointError, match=f"is damaged: {REPLAY} does not fit the run"):
        train("dino_dice", small("dqn"), out, resume=True, console=quiet())
    with pytest.raises(ConfigError, match=r"keeps its dqn\.buffer_size"):
        train("dino_dice", small("dqn", "dqn.buffer_size=999"), out, resume=True, console=quiet())
