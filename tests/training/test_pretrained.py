"""Policies that come with the package: what is written, how it is chosen, what it plays."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from dino_training import checkpoint, pretrained
from dino_training.checkpoint import CheckpointError, OtherPlayersWarning
from dino_training.policy import NetAgent
from dino_training.pretrained import LARGEST, export, packaged, pretrained_folder
from dino_training.train import train
from typer.testing import CliRunner

from dino_envs.agents import make_agent
from dino_envs.agents.agent import Actor
from dino_envs.cli import app
from dino_envs.engine import Game, UnknownAgentError
from dino_envs.evaluation import evaluate
from dino_envs.games import games, load

from .conftest import make_env, quiet, small, small_of

Trained = Callable[..., Path]

SHIPPED = sorted(path.parent.name for path in pretrained_folder().glob("*/checkpoint.json"))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Returns trained(algorithm, players): the folder of a small run."""
    runs: dict[tuple[str, int], Path] = {}

    def run(algorithm: str = "maskable_ppo", players: int = 2) -> Path:
        key = (algorithm, players)
        if key not in runs:
            runs[key] = tmp_path_factory.mktemp("runs") / "run"
            sizes = ("total_steps=512", "network.hidden=[4]")
            config = small_of(algorithm, f"options.num_players={players}", *sizes)
            train("dino_dice", config, runs[key], console=quiet())
        return runs[key]

    return run


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns where the package's policies are looked for; there is none yet."""
    folder = tmp_path / "pretrained"
    monkeypatch.setattr(checkpoint, "PACKAGED", folder)
    return folder


@pytest.fixture
def shipped(package: Path, trained: Trained) -> Path:
    """Returns the folder of the only policy of the package: of Dino Dice, with two players."""
    return export(checkpoint.load(trained()), package / "dino_dice")


def answers(agent: object, game: Game, **options: int) -> np.ndarray:
    """Returns what an agent plays in 64 positions, as int64 [64]; each action is legal."""
    assert isinstance(agent, Actor)
    env = make_env(game, 64, options=options)
    observations, masks = env.reset(), env.action_masks().astype(np.int8)
    found = agent.act(observations, masks, np.arange(64, dtype=np.uint64))
    assert masks[np.arange(64), found].all()
    return found


def told(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "checkpoint.json").read_text())
    return found


# What is written


@pytest.mark.parametrize("algorithm", ["maskable_ppo", "ppo", "dqn"])
def test_what_is_exported_plays_as_the_checkpoint(
    package: Path, trained: Trained, dice: Game, algorithm: str
) -> None:
    run = trained(algorithm)
    assert export(checkpoint.load(run), package / "dino_dice") == package / "dino_dice"
    for mode in ("", "sample", "sample=true", "sample=false"):
        ours = make_agent("pretrained" + (mode and f":{mode}"), dice)
        theirs = make_agent(f"checkpoint:{run}" + (mode and f",{mode}"), dice)
        np.testing.assert_array_equal(answers(ours, dice), answers(theirs, dice))
    best, drawn = (make_agent(spec, dice) for spec in ("pretrained", "pretrained:sample"))
    assert isinstance(best, NetAgent)
    assert isinstance(drawn, NetAgent)
    assert (best.sample, drawn.sample) == (False, True)


def test_what_is_exported_is_what_plays_and_what_it_is(shipped: Path, trained: Trained) -> None:
    whole, found = checkpoint.load(trained()), checkpoint.load(shipped)
    assert {path.name for path in shipped.iterdir()} == {"checkpoint.json", "weights.safetensors"}
    assert set(told(shipped)) == {
        "format", "game", "game_version", "observation", "actions", "network", "files", "options",
        "config", "seed", "steps", "seconds", "evaluation", "versions",
    }  # fmt: skip
    for key in ("game", "options", "config", "seed", "steps", "seconds", "evaluation", "versions"):
        assert found.description[key] == whole.description[key], key
    kept, before = found.weights(), whole.weights()
    assert len(kept) == len(before) / 2
    assert all(kept[name].equal(before[name]) for name in kept)


def test_what_was_exported_before_is_replaced(shipped: Path, trained: Trained) -> None:
    export(checkpoint.load(trained(players=3)), shipped)
    assert checkpoint.load(shipped).num_players == 3
    assert [path.name for path in shipped.parent.iterdir()] == ["dino_dice"]
    (shipped / "other").touch()
    with pytest.raises(CheckpointError, match="something else"):
        export(checkpoint.load(trained()), shipped)
    assert checkpoint.load(shipped).num_players == 3


def test_what_is_exported_can_be_exported_again(shipped: Path, tmp_path: Path) -> None:
    again = export(checkpoint.load(shipped), tmp_path / "again")
    for name in ("checkpoint.json", "weights.safetensors"):
        assert (again / name).read_bytes() == (shipped / name).read_bytes()


def test_what_is_too_large_is_refused(
    shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretrained, "LARGEST", 1_000)
    with pytest.raises(CheckpointError, match=r"1,000 at most can be packaged: .*network.hidden"):
        export(checkpoint.load(shipped), tmp_path / "large")
    assert not (tmp_path / "large").exists()


def test_a_place_that_cannot_be_written_is_named(shipped: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CheckpointError, match=r"cannot write .*file"):
        export(checkpoint.load(shipped), tmp_path / "file" / "dino_dice")


def test_what_plays_alone_is_not_resumed(
    shipped: Path, trained: Trained, dice: Game, tmp_path: Path
) -> None:
    refused = CliRunner().invoke(app, ["train", "dino_dice", "--resume", str(shipped)])
    assert refused.exit_code == 1
    assert "cannot be resumed, only played" in refused.stderr
    run = Path(shutil.copytree(trained(), tmp_path / "run"))
    latest = checkpoint.find(run)
    shutil.rmtree(latest)
    shutil.copytree(shipped, latest)
    with pytest.raises(CheckpointError, match="holds what plays alone, so it cannot be resumed"):
        train("dino_dice", small("total_steps=768"), run, resume=True, console=quiet())
    answers(make_agent(f"checkpoint:{run}", dice), dice)


# How it is chosen


def test_the_policy_for_the_number_of_players_is_taken(
    shipped: Path, package: Path, trained: Trained, dice: Game
) -> None:
    three = export(checkpoint.load(trained(players=3)), package / "dino_dice_three")
    export(checkpoint.load(trained("dqn")), package / "dino_dice_dqn")
    shutil.copytree(three, package / ".half.part")
    assert list(packaged(dice)) == ["dino_dice", "dino_dice_dqn", "dino_dice_three"]
    assert pretrained.policy_for(dice, 2).folder == shipped
    assert pretrained.policy_for(dice, 3).folder == three
    assert pretrained.policy_for(dice, 4).folder == shipped
    make_agent("pretrained", dice, {"num_players": 3})
    with pytest.warns(
        OtherPlayersWarning, match="dino_dice learnt with 2 players, plays 4"
    ) as told:
        agent = make_agent("pretrained", dice, {"num_players": 4})
    assert told[0].filename == __file__
    answers(agent, dice, num_players=4)


def test_a_game_without_one_is_told_how_to_train_it(shipped: Path, dice: Game) -> None:
    days = load("dino_days")
    with pytest.raises(UnknownAgentError, match="`dino-envs train dino_days`"):
        make_agent("pretrained", days)
    shipped.rename(shipped.with_name("dino_dice_two"))
    make_agent("pretrained", dice)
    command = "`dino-envs train dino_dice --set options.num_players=4`"
    with pytest.raises(UnknownAgentError, match=f"dino_dice with 4 players .*{command}"):
        make_agent("pretrained", dice, {"num_players": 4})


@pytest.mark.parametrize("argument", ["best", "sample=no", "sample,sample", "/path"])
def test_specs_of_another_form_are_refused(shipped: Path, dice: Game, argument: str) -> None:
    with pytest.raises(UnknownAgentError, match="write pretrained or pretrained:sample"):
        make_agent(f"pretrained:{argument}", dice)


@pytest.mark.parametrize("name", ["weights.safetensors", "checkpoint.json"])
def test_a_damaged_one_comes_anew(shipped: Path, dice: Game, name: str) -> None:
    (shipped / name).write_bytes((shipped / name).read_bytes()[:-40])
    with pytest.raises(CheckpointError, match=f"is damaged: {name}.*Reinstall dino-envs") as caught:
        make_agent("pretrained", dice)
    assert "delete" not in str(caught.value)


def test_a_damaged_one_is_none_of_another_game_s_business(shipped: Path, dice: Game) -> None:
    other = shipped.with_name("dino_days")
    other.mkdir()
    (other / "checkpoint.json").write_text("{")
    (shipped.with_name("x") / "checkpoint.json").mkdir(parents=True)
    answers(make_agent("pretrained", dice), dice)
    with pytest.raises(CheckpointError, match="Reinstall dino-envs"):
        make_agent("pretrained", load("dino_days"))


def test_only_what_was_exported_is_replaced(shipped: Path, trained: Trained) -> None:
    run = trained()
    before = sorted(path.name for path in run.iterdir())
    found = checkpoint.load(run)
    for folder in (run, found.folder, shipped.parent):
        with pytest.raises(CheckpointError, match="something else than an exported policy"):
            export(found, folder)
    assert sorted(path.name for path in run.iterdir()) == before
    assert export(found, shipped) == shipped


@pytest.mark.parametrize(
    "change", [{"format": 1}, {"game_version": 99}, {"actions": [["stop", 1]]}]
)
def test_an_outdated_one_comes_anew(shipped: Path, dice: Game, change: dict[str, object]) -> None:
    (shipped / "checkpoint.json").write_text(json.dumps({**told(shipped), **change}))
    with pytest.raises(CheckpointError, match="Reinstall dino-envs: pip install") as caught:
        make_agent("pretrained", dice)
    assert "rain again" not in str(caught.value)


def test_a_checkpoint_that_plays_with_others_than_it_learnt_with_is_told_of(
    trained: Trained, dice: Game
) -> None:
    spec = f"checkpoint:{trained(players=3)}"
    make_agent(spec, dice, {"num_players": 3})
    with pytest.warns(OtherPlayersWarning, match="learnt with 3 players, plays 2"):
        make_agent(spec, dice)
    with pytest.warns(OtherPlayersWarning, match="learnt with 3 players, plays 4"):
        evaluate(dice, spec, "random", games=4, options={"num_players": 4})


def test_the_program_tells_of_it_in_one_line(shipped: Path) -> None:
    line = f"dino_dice --opponent checkpoint:{shipped} --seed 1 --num-players 4"
    code = "from dino_envs.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "play", *line.split()],
        input="q\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if not line.endswith("first run only")]
    assert said == [f"dino-envs: {shipped} learnt with 2 players, plays 4"]


# Where it plays


def test_the_program_knows_it(shipped: Path) -> None:
    def run(line: str, stdin: str = "") -> str:
        result = CliRunner().invoke(app, line.split(), input=stdin, env={"COLUMNS": "200"})
        assert result.exit_code == 0, result.stderr
        return result.stdout

    assert "pretrained:sample" in run("inspect dino_dice")
    assert "pretrained:sample" in run(
        "evaluate dino_dice --agent pretrained --against pretrained:sample,greedy --games 20"
    )
    assert "pretrained" in run("play dino_dice --opponent pretrained --seed 3", "1\n" * 9 + "q\n")
    assert "wins" in run("watch dino_dice --agents pretrained,random --seed 3 --actions-only")


def test_it_is_an_opponent_and_a_teacher(shipped: Path, tmp_path: Path) -> None:
    env = gymnasium.make("dino_envs/DinoDice-v0", opponent="pretrained")
    _, info = env.reset(seed=3)
    env.step(int(info["action_mask"].argmax()))
    config = small(
        "total_steps=512",
        "opponents.shares={pretrained: 1}",
        "evaluation.against=['pretrained:sample']",
        "imitation.agent=pretrained",
        "imitation.steps=256",
    )
    train("dino_dice", config, tmp_path / "run", console=quiet())
    assert checkpoint.load(tmp_path / "run").description["steps"] == 512


# Those that are there


def test_every_game_of_the_package_has_one(game: Game) -> None:
    assert pretrained.packaged(game)[game.id].num_players == game.default_players


@pytest.mark.parametrize("name", SHIPPED)
def test_what_comes_with_the_package_plays(name: str) -> None:
    found = checkpoint.load(pretrained.pretrained_folder() / name)
    assert found.description["game"] in games()
    game, players = load(found.description["game"]), found.num_players
    assert players is not None
    assert pretrained.policy_for(game, players).num_players == players
    assert {path.name for path in found.folder.iterdir()} == {
        "checkpoint.json",
        "weights.safetensors",
    }
    assert sum(path.stat().st_size for path in found.folder.iterdir()) <= LARGEST
    assert not found.layout.whole
    agent = make_agent("pretrained", game, {"num_players": players})
    options = found.description["options"]
    assert evaluate(game, agent, "random", games=8, options=options).illegal_moves == 0
