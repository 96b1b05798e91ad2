"""A run learns, and goes on after any interruption as if there had been none."""

import json
import signal
from pathlib import Path

import pytest
import torch
from dino_training import checkpoint
from dino_training.checkpoint import CheckpointError
from dino_training.config import ConfigError, load_config
from dino_training.learner import Learner
from dino_training.stopping import SIGNALS
from dino_training.train import Run, RunExistsError, resumed_config, train

from dino_envs.engine import Game
from dino_envs.evaluation import evaluate
from dino_envs.games import load

from .conftest import SMALL_ALONE, quiet, small


class InterruptedRunError(Exception):
    pass


def interrupted_run(out: Path, steps: int, monkeypatch: pytest.MonkeyPatch, *settings: str) -> None:
    """Trains a small run that fails right after the checkpoint of so many steps."""
    save = Run.save

    def stopping(run: Run) -> Path:
        written = save(run)
        if run.learner.steps >= steps:
            raise InterruptedRunError
        return written

    with monkeypatch.context() as patch:
        patch.setattr(Run, "save", stopping)
        with pytest.raises(InterruptedRunError):
            train("dino_dice", small(*settings), out, console=quiet())


def test_a_short_run_beats_random(tmp_path: Path, dice: Game) -> None:
    config = small(
        "total_steps=131072", "num_envs=256", "ppo.n_steps=16", "ppo.batch_size=1024",
        "ppo.n_epochs=3", "network.hidden=[64]", "ppo.learning_rate=3e-3",
        "opponents.shares={random: 1, snapshot: 1}", "opponents.snapshot_every=32768",
        "saving.every_steps=0", "options.target=100",
    )  # fmt: skip
    train("dino_dice", config, tmp_path / "run", console=quiet())
    options = {"target": 100}
    result = evaluate(
        dice, f"checkpoint:{tmp_path / 'run'}", "random", games=2000, seed=9, options=options
    )
    assert result.illegal_moves == result.opponent_illegal_moves == 0
    assert result.score > 0.75
    sampled = evaluate(
        dice, f"checkpoint:{tmp_path / 'run'},sample", "random", games=500, options=options
    )
    assert sampled.illegal_moves == 0


def test_a_game_for_one_is_learnt_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solitaire: Game
) -> None:
    config = load_config(None, [*SMALL_ALONE, "evaluation.every=512"])
    save, console = Run.save, quiet()
    train(solitaire.id, config, tmp_path / "whole", console=console)
    whole, out = checkpoint.load(tmp_path / "whole"), tmp_path / "halves"
    assert whole.description["games"]["paid"].keys() == {"alone"}
    points = whole.description["evaluation"]["results"][0]["points"]
    assert f" steps/s  {points:.2f} points  scores: random 0." in console.file.getvalue()

    def stopping(run: Run) -> Path:
        save(run)
        raise InterruptedRunError

    with monkeypatch.context() as patch:
        patch.setattr(Run, "save", stopping)
        with pytest.raises(InterruptedRunError):
            train(solitaire.id, config, out, console=quiet())
    train(solitaire.id, resumed_config(solitaire, out), out, resume=True, console=quiet())
    halves = checkpoint.load(out)
    for key in ("steps", "games", "snapshots_added", "best"):
        assert whole.description[key] == halves.description[key], key
    one, two = whole.weights(), halves.weights()
    assert all(torch.equal(one[key], two[key]) for key in one)
    result = evaluate(solitaire, f"checkpoint:{out}", "random", games=20, options=config.options)
    assert result.illegal_moves == 0


def test_a_changed_sheet_is_learnt_played_evaluated_and_gone_on_with(tmp_path: Path) -> None:
    game, sheet = load("trex_holiday"), {"streamer": ["box", "box"]}
    settings = [
        "options.sheet.streamer=[box, box]",
        "variants=[{}, {sheet: {areas: [{size: 1}]}}]",
        "evaluation.against=[random]",
        "total_steps=512",
    ]
    config = load_config(None, [*SMALL_ALONE, *settings], None, game)
    train(game.id, config, tmp_path, console=quiet())
    told = checkpoint.load(tmp_path).description
    assert told["options"]["sheet"] == game.complete({"sheet": sheet})["sheet"]
    longer = load_config(None, ["total_steps=768"], resumed_config(game, tmp_path), game)
    train(game.id, longer, tmp_path, resume=True, console=quiet())
    assert checkpoint.load(tmp_path, game).description["steps"] == 768
    for options in ({"sheet": sheet, "num_players": 1}, {"num_players": 1}):
        result = evaluate(game, f"checkpoint:{tmp_path}", "random", games=6, options=options)
        assert result.illegal_moves == 0


def test_a_run_says_what_it_did(tmp_path: Path) -> None:
    console = quiet()
    out = tmp_path / "run"
    written = train("dino_dice", small("evaluation.every=512"), out, console=console)
    assert written == checkpoint.find(out) == out / "checkpoint-1536"
    lines = [json.loads(line) for line in (out / "evaluations.jsonl").read_text().splitlines()]
    assert [line["steps"] for line in lines] == [512, 1024, 1536]
    assert lines[0]["results"][0]["illegal_moves"] == 0
    assert "1,024 steps" in console.file.getvalue()
    assert (out / (out / "best").read_text().strip() / "weights.safetensors").is_file()
    assert list((out / "tensorboard").glob("events.*"))


def test_a_seed_fixes_the_whole_run(tmp_path: Path) -> None:
    runs = [tmp_path / name for name in ("one", "two")]
    for out in runs:
        train("dino_dice", small("total_steps=512"), out, console=quiet())
    one, two = (checkpoint.load(out).weights() for out in runs)
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_a_resumed_run_equals_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: Game
) -> None:
    train("dino_dice", small(), tmp_path / "whole", console=quiet())
    out = tmp_path / "halves"
    interrupted_run(out, 768, monkeypatch)
    assert checkpoint.find(out).name == "checkpoint-768"
    console = quiet()
    train("dino_dice", resumed_config(dice, out), out, resume=True, console=console)
    said = console.file.getvalue()
    assert f"resuming {out} from checkpoint-768: 768 of 1,536 steps, 0:00:" in said
    whole, halves = (checkpoint.load(folder) for folder in (tmp_path / "whole", out))
    for key in ("steps", "updates", "games", "snapshots_added", "optimizer", "best"):
        assert whole.description[key] == halves.description[key], key
    for name in ("weights.safetensors", "optimizer.safetensors", "snapshots.safetensors"):
        one, two = whole.tensors(name), halves.tensors(name)
        assert one.keys() == two.keys()
        assert all(torch.equal(one[key], two[key]) for key in one), name
    assert halves.description["seconds"] > 0


@pytest.mark.parametrize("number", SIGNALS)
def test_a_run_that_is_told_to_stop_saves_its_update_and_goes_on_from_there(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: Game
) -> None:
    between, out = Run.between_updates, tmp_path / "run"
    settings = ("total_steps=1024", "saving.every_steps=0", "saving.every_seconds=1e6")

    def told_to_stop(run: Run) -> None:
        if run.learner.steps == 512:
            signal.raise_signal(number)
        between(run)

    before = [signal.getsignal(each) for each in SIGNALS]
    with monkeypatch.context() as patch:
        patch.setattr(Run, "between_updates", told_to_stop)
        with pytest.raises(KeyboardInterrupt):
            train("dino_dice", small(*settings), out, console=quiet())
    assert [signal.getsignal(each) for each in SIGNALS] == before
    assert checkpoint.find(out).name == "checkpoint-512"
    train("dino_dice", resumed_config(dice, out), out, resume=True, console=quiet())
    train("dino_dice", small(*settings), tmp_path / "whole", console=quiet())
    whole, halves = (checkpoint.load(folder).weights() for folder in (tmp_path / "whole", out))
    assert all(torch.equal(whole[key], halves[key]) for key in whole)


def test_a_run_that_is_told_to_stop_in_its_last_update_is_not_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    between = Run.between_updates

    def told_to_stop(run: Run) -> None:
        between(run)
        if run.learner.steps == 256:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Run, "between_updates", told_to_stop)
    config = small("total_steps=512", "evaluation.every=0")
    with pytest.raises(KeyboardInterrupt):
        train("dino_dice", config, tmp_path, console=quiet())
    assert checkpoint.find(tmp_path).name == "checkpoint-512"
    assert not (tmp_path / "evaluations.jsonl").exists()


def test_a_run_that_is_told_to_stop_while_it_saves_has_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = Run.save

    def told_to_stop(run: Run) -> Path:
        signal.raise_signal(signal.SIGTERM)
        return save(run)

    monkeypatch.setattr(Run, "save", told_to_stop)
    with pytest.raises(KeyboardInterrupt):
        train("dino_dice", small("total_steps=256"), tmp_path, console=quiet())
    assert checkpoint.find(tmp_path).name == "checkpoint-256"
    checkpoint.load(tmp_path).net()


def test_a_signal_that_is_ignored_stops_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Ctrl-C is by what a shell's script has put into the background."""
    between = Run.between_updates

    def told_to_stop(run: Run) -> None:
        signal.raise_signal(signal.SIGINT)
        between(run)

    monkeypatch.setattr(Run, "between_updates", told_to_stop)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        train("dino_dice", small("total_steps=512"), tmp_path, console=quiet())
    finally:
        signal.signal(signal.SIGINT, before)
    assert checkpoint.find(tmp_path).name == "checkpoint-512"


def test_the_second_signal_stops_a_run_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told_twice(run: Run) -> None:
        signal.raise_signal(signal.SIGINT)
        assert run.stop.asked
        signal.raise_signal(signal.SIGTERM)
        pytest.fail("it went on")

    monkeypatch.setattr(Run, "between_updates", told_twice)
    with pytest.raises(KeyboardInterrupt):
        train("dino_dice", small(), tmp_path, console=quiet())
    assert not list(tmp_path.glob("checkpoint-*"))


def test_resuming_restores_the_optimiser_and_the_learning_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: Game
) -> None:
    out = tmp_path / "run"
    interrupted_run(out, 768, monkeypatch)
    learner = Learner(dice, small())
    learner.restore(checkpoint.load(out, dice))
    state = learner.model.policy.optimizer.state_dict()
    assert [int(moment["step"]) for moment in state["state"].values()] == [3] * 8
    remaining = 1 - 512 / 1536  # the last update was made with the rate after 768 decisions
    assert 1e-5 < state["param_groups"][0]["lr"] < 1e-3 * remaining
    assert (learner.steps, learner.env.league.added) == (768, 2)


def test_a_finished_run_can_be_made_longer(tmp_path: Path, dice: Game) -> None:
    out = tmp_path / "run"
    train("dino_dice", small("total_steps=512"), out, console=quiet())
    train("dino_dice", small("total_steps=1024"), out, resume=True, console=quiet())
    assert checkpoint.load(out, dice).description["steps"] == 1024
    train("dino_dice", small("total_steps=1024"), out, resume=True, console=quiet())
    assert checkpoint.load(out, dice).description["steps"] == 1024
    other = small("num_envs=64", "network.hidden=[8]")
    with pytest.raises(ConfigError, match="keeps its num_envs, network; only dqn, evaluation"):
        train("dino_dice", other, out, resume=True, console=quiet())


def test_a_run_is_never_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "run"
    train("dino_dice", small("total_steps=256"), out, console=quiet())
    with pytest.raises(RunExistsError, match=r"holds a run: go on with --resume"):
        train("dino_dice", small(), out, console=quiet())
    with pytest.raises(CheckpointError, match="does not exist"):
        train("dino_dice", small(), tmp_path / "none", resume=True, console=quiet())
