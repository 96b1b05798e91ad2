"""Going back in a run loses nothing but what came after, and two processes share no run."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from dino_training import checkpoint, disk, lock, scores
from dino_training.checkpoint import CheckpointError
from dino_training.config import ConfigError, load_config
from dino_training.lock import RunInUseError
from dino_training.train import DivergenceError, Run, resumed_config, train
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from dino_envs.engine import Game

from .conftest import quiet, small


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of six checkpoints, all kept."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    train("dino_dice", small("saving.keep=9", "evaluation.every=512"), out, console=quiet())
    return out


@pytest.fixture
def run(whole_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole_run, tmp_path / "run"))


def kept(run: Path) -> set[str]:
    return {path.name for path in run.glob("checkpoint-*")}


def evaluated(run: Path) -> list[int]:
    """Returns the steps of the lines of a run's evaluations."""
    lines = (run / scores.FILE).read_text().splitlines()
    return [json.loads(line)["steps"] for line in lines]


def resume(out: Path, *settings: str) -> str:
    console = quiet()
    train("dino_dice", small("evaluation.every=512", *settings), out, resume=True, console=console)
    return str(console.file.getvalue())


def resume_by_its_config(run: Path, game: Game) -> None:
    """Goes on as `dino-envs train --resume` does."""
    config = load_config(None, ["total_steps=2048"], resumed_config(game, run), game)
    train(game.id, config, run, resume=True, console=quiet())


def test_going_back_keeps_what_is_learnt_from_then_on(run: Path, dice: Game) -> None:
    (run / "latest").write_text("checkpoint-512\n")
    said = resume(run, "total_steps=768", "saving.keep=2")
    assert "the next checkpoint takes the place of checkpoint-768, checkpoint-1024" in said
    assert {"checkpoint-512", "checkpoint-768"} <= kept(run)
    assert checkpoint.load(run, dice).description["steps"] == 768
    assert not {"checkpoint-1024", "checkpoint-1280", "checkpoint-1536"} & kept(run)
    assert (run / disk.pointed(run, "best")).is_dir()
    assert evaluated(run) == [512, 768]


@pytest.mark.parametrize("added", [0, 9, 10**30])
def test_a_pool_that_is_not_there_is_damage(run: Path, added: int) -> None:
    path = checkpoint.find(run) / checkpoint.DESCRIPTION
    changed = {**json.loads(path.read_text()), "snapshots_added": added}
    path.write_text(json.dumps(changed))
    with pytest.raises(CheckpointError, match="is damaged: snapshots"):
        resume(run, "total_steps=2048")


def test_pruning_spares_pointers_and_folders_of_other_names(run: Path) -> None:
    (run / "best").write_text("checkpoint-256\n")
    (run / "checkpoint-best-2").mkdir()
    disk.prune(run, 1, [])
    assert kept(run) == {"checkpoint-256", "checkpoint-1536", "checkpoint-best-2"}


@pytest.mark.parametrize("name", ["checkpoint-1024", "latest", "best"])
def test_a_run_goes_on_from_one_of_its_checkpoints(run: Path, dice: Game, name: str) -> None:
    steps = checkpoint.load(run / name).description["steps"]
    said = resume(run / name, f"total_steps={steps + 256}")
    assert f"resuming {run} from checkpoint-{steps}" in said
    assert checkpoint.load(run, dice).description["steps"] == steps + 256
    assert not list(run.glob("checkpoint-*/checkpoint-*"))


def test_a_run_goes_on_from_the_checkpoint_one_stands_in(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(run / "checkpoint-512")
    assert "from checkpoint-512" in resume(Path("."), "total_steps=768")
    assert disk.pointed(run, "latest") == "checkpoint-768"


@pytest.mark.parametrize("due", [False, True])
def test_going_back_deletes_no_later_checkpoint_before_the_next_is_written(
    run: Path, due: bool
) -> None:
    path = run / "checkpoint-512" / checkpoint.DESCRIPTION
    path.write_text(json.dumps({**json.loads(path.read_text()), "evaluation_due": due}))
    before = kept(run)
    resume(path.parent, "total_steps=512", "saving.keep=1")
    assert kept(run) == before
    assert disk.pointed(run, "latest") == "checkpoint-512"


def test_an_evaluation_made_up_for_deletes_no_later_checkpoint(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = run / "checkpoint-512" / checkpoint.DESCRIPTION
    path.write_text(json.dumps({**json.loads(path.read_text()), "evaluation_due": True}))
    before, scored = kept(run), []
    evaluate = Run.evaluate

    def then_failing(run: Run, games: int) -> None:
        scored.append(evaluate(run, games))
        failing()

    monkeypatch.setattr(Run, "evaluate", then_failing)
    with pytest.raises(RuntimeError, match="fell over"):
        resume(path.parent, "saving.keep=1")
    assert len(scored) == 1
    assert kept(run) == before


def test_a_checkpoint_outside_a_run_is_played_but_not_resumed(run: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone" / "checkpoint-512"
    shutil.copytree(run / "checkpoint-512", alone)
    with pytest.raises(CheckpointError, match="lies in no run's folder, so it cannot be resumed"):
        resume(alone)


def test_an_opponent_of_evaluations_that_is_nobody_is_found_before_training(
    tmp_path: Path,
) -> None:
    config = small("evaluation.against=[random, gredy]")
    with pytest.raises(ConfigError, match=r"evaluation\.against: .*gredy"):
        train("dino_dice", config, tmp_path / "run", console=quiet())
    assert not kept(tmp_path / "run")


def failing(*_: object) -> None:
    raise RuntimeError("the opponent fell over")


def test_a_failing_evaluation_loses_no_policy_and_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: Game
) -> None:
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr("dino_training.scores.score", failing)
        with pytest.raises(RuntimeError, match="fell over"):
            train("dino_dice", small("evaluation.every=512"), out, console=quiet())
        assert checkpoint.load(out, dice).description["steps"] == 512
        config = small("total_steps=512")
        with pytest.raises(RuntimeError, match="fell over"):
            train("dino_dice", config, tmp_path / "final", console=quiet())
    assert checkpoint.load(tmp_path / "final", dice).description["steps"] == 512
    resume(out)
    assert evaluated(out) == [512, 1024, 1536]


def test_the_best_is_chosen_anew_for_another_ladder(run: Path) -> None:
    told = json.loads((run / "checkpoint-1536" / "checkpoint.json").read_text())
    told["best"] = {"checkpoint": "checkpoint-512", "mean_score": 0.99}
    (run / "checkpoint-1536" / "checkpoint.json").write_text(json.dumps(told))
    resume(run)
    assert disk.pointed(run, "best") == "checkpoint-512"
    resume(run, "evaluation.against=[greedy]", "total_steps=1792")
    assert disk.pointed(run, "best") in ("checkpoint-1536", "checkpoint-1792")


def test_the_best_is_chosen_anew_for_another_way_to_play(run: Path) -> None:
    told = json.loads((run / "checkpoint-1536" / "checkpoint.json").read_text())
    told["best"] = {"checkpoint": "checkpoint-512", "mean_score": 0.99}
    (run / "checkpoint-1536" / "checkpoint.json").write_text(json.dumps(told))
    resume(run, "evaluation.sample=true", "total_steps=1792")
    assert disk.pointed(run, "best") in ("checkpoint-1536", "checkpoint-1792")


def test_a_finished_run_that_is_scored_in_another_way_plays_so(run: Path) -> None:
    told = json.loads((run / "checkpoint-1536" / "checkpoint.json").read_text())
    resume(run, "total_steps=1536", "evaluation.sample=true")
    found = checkpoint.load(run)
    assert found.folder.name == "checkpoint-1536"
    assert found.description["evaluation"] != told["evaluation"]
    assert found.player().sample


def test_two_processes_cannot_train_in_one_folder(tmp_path: Path) -> None:
    out = tmp_path / "run"
    out.mkdir()
    program = (
        "from pathlib import Path; from dino_training import lock; import time\n"
        f"with lock.hold(Path({str(out)!r})): print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(RunInUseError, match=f"process {process.pid} is training in"):
            train("dino_dice", small(), out, console=quiet())
    finally:
        process.kill()
        process.communicate()
    with lock.hold(out):
        assert (out / lock.FILE).read_text() == f"{os.getpid()}\n"


def test_only_a_full_disk_asks_for_room(run: Path, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError) as caught:
        disk.write_checkpoint(tmp_path / "gone", "checkpoint-1", {"format": 1}, {})
    assert "make room" not in str(caught.value)
    assert "Nothing is saved yet" in str(caught.value)
    assert "--resume" not in str(caught.value)


def test_a_run_that_diverges_says_what_to_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: Game
) -> None:
    save = Run.save

    def breaking(run: Run) -> Path:
        written = save(run)
        if run.learner.steps == 512:
            for weight in run.learner.model.policy.parameters():
                torch.nn.init.constant_(weight, torch.nan)
        return written

    monkeypatch.setattr(Run, "save", breaking)
    out = tmp_path / "run"
    with pytest.raises(DivergenceError, match=r"Try a lower ppo\.learning_rate than 0\.001"):
        train("dino_dice", small(), out, console=quiet())
    assert checkpoint.find(out).name == "checkpoint-512"
    assert all(weight.isfinite().all() for weight in checkpoint.load(out, dice).weights().values())


@pytest.mark.parametrize("rate", ["1e30", "1e5"])
def test_a_learning_rate_beyond_all_bounds_is_named(tmp_path: Path, rate: str) -> None:
    config = small(f"ppo.learning_rate={rate}")
    with pytest.raises(DivergenceError, match=r"lower ppo\.max_grad_norm: start again$"):
        train("dino_dice", config, tmp_path / "run", console=quiet())


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": None}, {"seconds": "long"}, {"best": None}, {"best": {"checkpoint": 3}},
        {"games": {}}, {"optimizer": None}, {"optimizer": []}, {"optimizer": [{"lr": 1}]},
        {"files": 3}, {"files": {"weights.safetensors": {}}}, {"versions": 3}, {"config": None},
        {"config": {"seed": "x"}}, {"steps": -1}, {"numpy_stream": "x"}, {"evaluation": []},
    ],
)  # fmt: skip
def test_an_edited_description_is_damage(run: Path, change: dict[str, object]) -> None:
    path = run / "checkpoint-1536" / "checkpoint.json"
    told = {**json.loads(path.read_text()), **change}
    path.write_text(json.dumps({key: value for key, value in told.items() if value is not None}))
    with pytest.raises(CheckpointError, match="checkpoint-1536 is damaged"):
        resume(run)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("numpy_stream", 625), ("numpy_stream", 2**31), ("numpy_stream", True), ("steps", "1536"),
        ("algorithm", "ppo"), ("config.algorithm", "ppo"), ("config.algorithm", "dqn"),
        ("network.activation", "tanh"), ("config.network.activation", "tanh"),
        ("config.network.hidden", [8]), ("config.num_envs", 64), ("algorithm", "sarsa"),
        ("games.paid", {}), ("games.paid", {"greedy": [1, 2.0]}), ("games.paid.greedy", [1]),
        ("games.paid.greedy", ["1", 2.0]), ("games.finished", 10**30), ("updates", 10**400),
        ("optimizer.0.eps", "x"), ("optimizer.0.betas", [2, 3]), ("optimizer.0.params", [99]),
        ("optimizer.0.params", 5), ("optimizer.0.lr", "x"), ("optimizer.0.lr", -1),
        ("optimizer.0.amsgrad", True),
    ],
)  # fmt: skip
def test_a_changed_value_is_damage_and_nothing_is_lost(
    run: Path, dice: Game, key: str, value: object
) -> None:
    path = run / "checkpoint-1536" / "checkpoint.json"
    told = json.loads(path.read_text())
    *above, last = key.split(".")
    place = told
    for part in above:
        place = place[int(part)] if isinstance(place, list) else place[part]
    place[last] = value
    path.write_text(json.dumps(told))
    before = kept(run)
    with pytest.raises(CheckpointError, match="checkpoint-1536 is damaged"):
        resume_by_its_config(run, dice)
    assert kept(run) == before


@pytest.mark.parametrize("name", ["games", "optimizer", "snapshots"])
def test_arrays_of_another_run_are_damage(run: Path, name: str) -> None:
    folder = run / "checkpoint-1536"
    arrays = load_arrays((folder / f"{name}.safetensors").read_bytes())
    arrays.pop(sorted(arrays)[0])
    told = json.loads((folder / "checkpoint.json").read_text())
    files = {f: (folder / f).read_bytes() for f in told.pop("files")}
    files[f"{name}.safetensors"] = save_arrays(arrays)
    disk.write_checkpoint(run, folder.name, told, files)
    with pytest.raises(CheckpointError, match=r"is damaged: .*does not fit"):
        resume(run)


def test_evaluations_that_are_no_text_do_not_stop_a_resume(run: Path) -> None:
    with open(run / "evaluations.jsonl", "ab") as file:
        file.write(b"\xff\xfe\n[1]\n")
    resume(run, "total_steps=1792")
    assert evaluated(run) == [512, 1024, 1536, 1792]


def test_a_finished_run_that_is_resumed_has_one_evaluation_of_each_number_of_steps(
    run: Path,
) -> None:
    before = scores.read(run)[0]
    said = resume(run)
    assert "total_steps 1,536 are done: --set total_steps=... goes on" in said
    assert evaluated(run) == [512, 1024, 1536]
    assert [each.results for each in scores.read(run)[0]] == [each.results for each in before]
    resume(run, "evaluation.final_games=40")
    assert evaluated(run) == [512, 1024, 1536]
    assert scores.read(run)[0][-1].results[0].games == 40


def test_less_than_what_is_done_is_told_to_be_done(run: Path) -> None:
    said = resume(run, "total_steps=512")
    assert "total_steps 512 are done: --set total_steps=... goes on" in said
    assert "from checkpoint-1536: 1,536 of 512 steps" in said
    assert len(kept(run)) == 6


@pytest.mark.parametrize("moment", ["on the way", "final"])
def test_an_evaluation_kept_just_before_a_kill_is_not_kept_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    out, steps = tmp_path / "run", 512 if moment == "on the way" else 1536
    keep = scores.keep

    def failing_after(run: Path, line: dict[str, Any]) -> None:
        keep(run, line)
        if line["steps"] == steps:
            failing()

    with monkeypatch.context() as patch:
        patch.setattr(scores, "keep", failing_after)
        with pytest.raises(RuntimeError, match="fell over"):
            train("dino_dice", small("evaluation.every=512"), out, console=quiet())
    assert evaluated(out)[-1] == steps
    resume(out)
    assert evaluated(out) == [512, 1024, 1536]


def test_the_last_of_several_evaluations_of_equal_steps_counts(run: Path) -> None:
    path = run / scores.FILE
    *lines, last = path.read_text().splitlines()
    again = json.dumps({**json.loads(last), "seed": 99})
    path.write_text("\n".join([*lines, last, again]))  # as they were once kept
    told, damaged = scores.read(run)
    assert ([each.steps for each in told], damaged) == ([512, 1024, 1536], 0)
    assert told[-1].seed == 99
    resume(run, "total_steps=1792")
    assert evaluated(run) == [512, 1024, 1536, 1792]


def test_paths_in_brackets_are_printed_as_they_are(tmp_path: Path) -> None:
    out = tmp_path / "[bold]run[/x] :dice:"
    train("dino_dice", small("total_steps=256"), out, console=quiet())
    against = f"evaluation.against=['checkpoint:{out}']"
    said = resume(out, "total_steps=512", against)
    assert f"resuming {out} from checkpoint-256" in said
    assert f"scores: checkpoint:{out} " in said


def test_files_that_are_no_checkpoint_are_quoted_briefly(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("many words " * 1000)
    for path in (tmp_path / "text", tmp_path / ("x" * 5000)):
        with pytest.raises(CheckpointError) as caught:
            checkpoint.find(path)
        assert len(str(caught.value)) < 600
        assert "\n" not in str(caught.value)
