"""A run may begin by copying a scripted agent, and goes on learning from there."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from dino_training import checkpoint
from dino_training.config import Config
from dino_training.imitation import imitate
from dino_training.learner import Learner
from dino_training.train import DivergenceError, resumed_config, train

from dino_envs.agents import make_agent
from dino_envs.engine import Game, UnknownAgentError

from .conftest import quiet, small
from .test_train import interrupted_run

TEACHER = ("imitation.agent=greedy", "imitation.steps=512")


def agreement(learner: Learner, teacher: str) -> float:
    """Returns in which share of the present positions the policy does as the teacher."""
    batch = learner.env.games.batch
    seen, masks = batch.observations.copy(), batch.masks.copy()
    wanted = make_agent(teacher, learner.game).act(
        seen, masks, np.arange(1, len(seen) + 1, dtype=np.uint64)
    )
    chosen = np.where(masks != 0, learner.net().logits(seen), -np.inf).argmax(axis=1)
    return float((chosen == wanted).mean())


def test_the_policy_comes_to_do_what_the_teacher_does(dice: Game) -> None:
    learner = Learner(dice, small("num_envs=256", "ppo.n_epochs=4", "network.hidden=[64]"))
    model, env = learner.model, learner.env
    made = list(imitate(model, env, make_agent("greedy", dice), 40_000, None))
    assert made == list(range(2048, 40_961, 2048))
    assert learner.steps == 40_960
    assert agreement(learner, "greedy") > 0.9


def test_the_value_foresees_the_return(dice: Game) -> None:
    learner = Learner(dice, small("num_envs=256", "ppo.n_epochs=4", "network.hidden=[64]"))
    model, env = learner.model, learner.env
    for _ in imitate(model, env, make_agent("greedy", dice), 40_000, None):
        pass
    buffer = model.rollout_buffer
    off = np.var(buffer.returns - buffer.values)
    assert off < 0.9 * np.var(buffer.returns)


@pytest.mark.parametrize(
    ("first", "rates"),
    [(None, [1e-3, 1e-3, 1e-3, 1e-3]), (5e-3, [4e-3, 3e-3, 2e-3, 1e-3])],
)
def test_the_learning_rate_falls_to_that_of_what_follows(
    dice: Game, first: float | None, rates: list[float]
) -> None:
    learner = Learner(dice, small("ppo.learning_rate=1e-3"))
    model, teacher = learner.model, make_agent("greedy", dice)
    optimizer = model.policy.optimizer
    found = [
        optimizer.param_groups[0]["lr"] for _ in imitate(model, learner.env, teacher, 1024, first)
    ]
    assert found == pytest.approx(rates)


def test_learning_goes_on_where_imitation_ends(tmp_path: Path) -> None:
    train("dino_dice", small(*TEACHER), tmp_path, console=quiet())
    found = checkpoint.load(tmp_path)
    assert found.description["steps"] == 1536
    assert found.description["updates"] == 4  # of PPO, each of 256 decisions


@pytest.mark.parametrize("steps", [256, 768])
def test_an_interrupted_run_equals_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: Game, steps: int
) -> None:
    """Whether it is stopped while it copies or later."""
    train("dino_dice", small(*TEACHER), tmp_path / "whole", console=quiet())
    out = tmp_path / "halves"
    interrupted_run(out, steps, monkeypatch, *TEACHER)
    train("dino_dice", resumed_config(dice, out), out, resume=True, console=quiet())
    whole, halves = (checkpoint.load(folder) for folder in (tmp_path / "whole", out))
    one, two = whole.weights(), halves.weights()
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_a_run_may_end_before_its_imitation_does(tmp_path: Path) -> None:
    train("dino_dice", small(*TEACHER, "total_steps=256"), tmp_path, console=quiet())
    assert checkpoint.load(tmp_path).description["steps"] == 256


def test_without_a_teacher_nothing_is_copied() -> None:
    assert Config().imitation.agent is None


def test_a_teacher_has_to_play_every_variant(tmp_path: Path) -> None:
    settings = ("imitation.agent=optimal", "variants=[{tie: turn}]")
    with pytest.raises(UnknownAgentError, match="optimal"):
        train("dino_dice", small(*settings), tmp_path, console=quiet())


def test_whom_it_no_longer_copies_a_run_needs_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: Game
) -> None:
    teacher, out = tmp_path / "teacher", tmp_path / "run"
    train("dino_dice", small("total_steps=256"), teacher, console=quiet())
    copied = (f"imitation.agent=checkpoint:{teacher}", "imitation.steps=512")
    interrupted_run(out, 768, monkeypatch, *copied)
    shutil.rmtree(teacher)
    train("dino_dice", resumed_config(dice, out), out, resume=True, console=quiet())
    assert checkpoint.load(out).description["steps"] == 1536


def test_copying_that_diverges_says_so(tmp_path: Path) -> None:
    settings = ("imitation.agent=greedy", "ppo.learning_rate=1e30")
    with pytest.raises(DivergenceError, match="learning_rate"):
        train("dino_dice", small(*settings), tmp_path, console=quiet())


def test_an_unknown_teacher_is_refused_before_anything_is_learnt(tmp_path: Path) -> None:
    with pytest.raises(UnknownAgentError, match="did you mean 'greedy'"):
        train("dino_dice", small("imitation.agent=gredy"), tmp_path, console=quiet())
    assert not list(tmp_path.glob("checkpoint-*"))
