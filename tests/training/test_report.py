"""The command `report`: a run told as one HTML page."""

import base64
import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import safetensors.torch
import torch
import typer
from dino_training import checkpoint, disk, reporting, run_league, run_record, scores
from dino_training.checkpoint import CheckpointError
from dino_training.config import load_config
from dino_training.learner import SNAPSHOTS, kept_records
from dino_training.policy import NetAgent
from dino_training.run_league import Member
from dino_training.train import train
from typer.testing import CliRunner, Result

from dino_envs.agents import action_chances
from dino_envs.engine import Game
from dino_envs.evaluation import evaluate
from dino_envs.evaluation.exact import exact_score

from .conftest import SMALL, SMALL_ALONE, quiet, random_net, small

APP = typer.Typer()
APP.command("report")(reporting.report)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(APP, list(arguments))


class Page(HTMLParser):
    """What a page holds: its headings, cells, pictures; fails where tags do not match."""

    EMPTY = ("meta", "img", "link", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.pictures: list[bytes] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert tag not in ("script", "link", "iframe")
        if tag == "img":
            kind, _, data = str(given["src"]).partition(",")
            assert kind == "data:image/svg+xml;base64"
            assert given["alt"]
            self.pictures.append(base64.b64decode(data))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a run with three evaluations."""
    folder = tmp_path_factory.mktemp("report") / "a run <&>"
    config = small(
        "evaluation.every=512", "evaluation.games=20", "options.target=4",
        "evaluation.against=[random, greedy]", "saving.keep=1",
    )  # fmt: skip
    train("dino_dice", config, folder, console=quiet())
    return folder


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    """Returns a copy of the run that may be damaged."""
    return Path(shutil.copytree(finished, tmp_path / "copy"))


@pytest.fixture(scope="module")
def page(finished: Path) -> Page:
    result = run(str(finished), "--games", "60")
    assert result.exit_code == 0, (result.output, result.exception)
    assert "report.html" in result.output
    return Page((finished / "report.html").read_text())


def test_the_program_finds_it() -> None:
    (found,) = entry_points(group="dino_envs.commands", name="report")
    assert found.load() is reporting.report


def test_the_page_has_every_part(page: Page) -> None:
    assert page.texts["h1"] == ["Dino Dice: a run <&>"]
    assert page.texts["h2"] == [
        "The ladder of scripted bots",
        "Learning",
        "Exact loss against perfect play",
        "How it plays",
        "The league",
        "Configuration",
        "Game, seeds and versions",
    ]


def test_the_pictures_are_whole_and_not_blank(page: Page) -> None:
    assert len(page.pictures) == 6
    for picture in page.pictures:
        root = ElementTree.fromstring(picture)
        assert root.tag.endswith("}svg")
        assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) > 20


def test_the_page_tells_ladder_configuration_seeds_and_versions(page: Page) -> None:
    cells = page.texts["td"]
    for told in ("random", "greedy", "ppo.n_steps", "target", "4", "stop", "reroll", "eat"):
        assert told in cells
    (text,) = page.texts["pre"]
    assert "total_steps: 1536" in text
    assert "torch" in cells
    told = " ".join(page.texts["p"])
    assert "checkpoint-1536 (1,536 decisions)" in told


def test_the_exact_loss_of_the_page_is_that_of_the_policy(
    page: Page, finished: Path, dice: Game
) -> None:
    options = {"target": 4}
    found = exact_score(dice, f"checkpoint:{finished}", options=options)
    (told,) = re.findall(r"so loses (\d\.\d{6})", " ".join(page.texts["p"]))
    assert float(told) == pytest.approx(found.loss, abs=1e-6)
    assert 0.0 < found.loss < 0.5


def test_the_page_is_the_same_again(finished: Path, tmp_path: Path) -> None:
    written = []
    for name in ("one.html", "two.html"):
        arguments = ("--games", "20", "--no-exact", "--out", str(tmp_path / name))
        assert run(str(finished), *arguments).exit_code == 0
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
    assert b"Exact loss" not in written[0]


def test_a_checkpoint_of_the_run_is_told_of(finished: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "best.html")
    result = run(str(finished / "best"), "--games", "4", "--no-exact", "--out", out)
    assert result.exit_code == 0, result.exception
    name = (finished / "best").read_text().strip()
    assert f"{name} of" in " ".join(Page(Path(out).read_text()).texts["p"])


def test_a_run_that_was_never_scored_is_told(tmp_path: Path) -> None:
    config = small("evaluation.against=[]", "total_steps=256", "options.target=10")
    train("dino_dice", config, tmp_path / "run", console=quiet())
    result = run(str(tmp_path / "run"), "--games", "4", "--no-exact")
    assert result.exit_code == 0, result.exception
    told = " ".join(Page((tmp_path / "run" / "report.html").read_text()).texts["p"])
    assert "no evaluations yet" in told
    assert "has not been evaluated" in told


def test_a_run_of_one_player_is_told(tmp_path: Path, solitaire: Game) -> None:
    config = load_config(None, [*SMALL_ALONE, "total_steps=256"])
    train(solitaire.id, config, tmp_path / "run", console=quiet())
    result = run(str(tmp_path / "run"), "--games", "4")
    assert result.exit_code == 0, result.exception
    page = Page((tmp_path / "run" / "report.html").read_text())
    assert "with 1 player." in " ".join(page.texts["p"])
    assert "The league" not in page.texts["h2"]


# The league


def test_the_page_tells_the_pool_and_the_policy_against_it(page: Page, finished: Path) -> None:
    found = checkpoint.load(finished)
    records = kept_records(found, 4)
    assert found.description["snapshots_added"] == 3
    cells = page.texts["td"]
    for place, steps in ((1, 512), (2, 1024)):
        first = cells.index(f"at {steps:,} decisions")
        games, lost, drawn = cells[first + 1 : first + 4]
        assert (games, lost) == (f"{records.games[place]:,}", f"{records.lost[place]:.4f}")
        assert 0.1 < float(drawn) < 0.4  # half of the draws are of the pool
        again = cells.index(f"at {steps:,} decisions", first + 1)
        assert 0 <= float(cells[again + 1]) <= 1
        assert cells[again + 5] == "60"
    assert "at 0 decisions" not in cells
    told = " ".join(page.texts["p"])
    assert "snapshots in its pool" in told
    assert "play together" not in told


def test_a_policy_that_is_worse_than_one_of_its_past_is_told(copied: Path) -> None:
    found = checkpoint.load(copied)
    snapshots = found.tensors(SNAPSHOTS)
    for name in found.layout.shapes():  # one that never stops while it may go on: a better player
        snapshots[f"1/{name}"] = torch.zeros_like(snapshots[f"1/{name}"])
    snapshots["1/action_net.bias"][1:] = 9.0
    told = dict(found.description)
    files = {name: (found.folder / name).read_bytes() for name in told.pop("files")}
    files[SNAPSHOTS] = safetensors.torch.save(snapshots)
    disk.write_checkpoint(copied, found.folder.name, told, files)
    assert run(str(copied), "--games", "200", "--no-exact").exit_code == 0
    said = Page((copied / "report.html").read_text()).texts["p"]
    (verdict,) = (text for text in said if text.startswith("The policy is"))
    told_of = (
        r"The policy is worse than 1 of the 2 snapshots in its pool: at 512 decisions \(.*\)\."
    )
    assert re.fullmatch(told_of, verdict)


def member(name: str, low: float, high: float, game: Game) -> Member:
    """Returns a member against which the policy's score has such an interval."""
    played = evaluate(game, "random", "random", games=2)
    middle = (low + high) / 2
    return Member(name, 5, 0.5, 0.5, replace(played, score=middle, ci95=(low, high)))


def test_the_verdict_is_by_the_intervals(dice: Game) -> None:
    equal, worse = member("at 1 decisions", 0.3, 0.5, dice), member("number 7", 0.1, 0.49, dice)
    assert run_league.verdict([equal, equal]).startswith(
        "The policy is not worse than any of the 2"
    )
    told = run_league.verdict([equal, worse])
    assert told == (
        "The policy is worse than 1 of the 2 snapshots in its pool: "
        "number 7 (score 0.2950, 0.1000 to 0.4900)."
    )


def test_snapshots_that_are_never_drawn_are_played_all_the_same(tmp_path: Path) -> None:
    config = small("opponents.shares={greedy: 1}", "total_steps=768", "options.target=4")
    train("dino_dice", config, tmp_path / "run", console=quiet())
    assert run(str(tmp_path / "run"), "--games", "20", "--no-exact").exit_code == 0
    cells = Page((tmp_path / "run" / "report.html").read_text()).texts["td"]
    place = cells.index("at 0 decisions")
    assert cells[place + 1 : place + 3] == ["0", "0.0000"]  # an empty cell has no text
    assert cells.count("at 0 decisions") == cells.count("at 512 decisions") == 2


def test_where_all_play_together_both_win_rates_are_told(tmp_path: Path, toy: Game) -> None:
    settings = [s for s in SMALL if not s.startswith("options.")]
    config = load_config(None, [*settings, "opponents.shares={obedient: 1, latest: 1}",
                                "options.num_players=2", "total_steps=768"])  # fmt: skip
    train(toy.id, config, tmp_path / "run", console=quiet())
    assert run(str(tmp_path / "run"), "--games", "20").exit_code == 0
    page = Page((tmp_path / "run" / "report.html").read_text())
    assert {"wins", "its wins"} <= {*page.texts["th"]}
    assert "sits at all seats" in " ".join(page.texts["p"])


@pytest.mark.parametrize("change", [{"snapshots_added": 0}, {"snapshots_added": 9}])
def test_a_pool_that_is_not_there_is_damage(copied: Path, change: dict[str, int]) -> None:
    path = checkpoint.find(copied) / checkpoint.DESCRIPTION
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    assert "snapshots.safetensors does not" in fault(str(copied), "--games", "4", "--no-exact")


# What goes wrong


def fault(*arguments: str) -> str:
    error = run(*arguments).exception
    assert isinstance(error, CheckpointError)
    assert "\n" not in str(error)
    return str(error)


def test_where_no_run_is(tmp_path: Path) -> None:
    assert "does not exist" in fault(str(tmp_path / "nothing"))
    assert "holds no checkpoint" in fault(str(tmp_path))


def test_a_damaged_run(copied: Path) -> None:
    lines = (copied / scores.FILE).read_text().splitlines(keepends=True)
    (copied / scores.FILE).write_text("".join([*lines, '{"steps": 3', "\n\x00"]))
    told, damaged = scores.read(copied)
    assert (len(told), damaged) == (len(lines), 2)
    assert len(lines) >= 3
    assert run(str(copied), "--games", "4", "--no-exact").exit_code == 0
    assert "2 lines of evaluations.jsonl" in (copied / "report.html").read_text()
    latest = copied / (copied / "latest").read_text().strip()
    weights = latest / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    assert "weights.safetensors has" in fault(str(copied), "--no-exact")
    description = latest / "checkpoint.json"
    kept = json.loads(description.read_text())
    for key, value in (("evaluation", {"steps": "x"}), ("seconds", "long"), ("config", None)):
        description.write_text(json.dumps({**kept, key: value}))
        assert "is damaged" in fault(str(copied))
    description.write_text("{")
    assert "is damaged" in fault(str(copied))


def test_where_the_page_cannot_be_written(finished: Path, tmp_path: Path) -> None:
    assert run(str(finished), "--out", str(tmp_path)).exit_code == 2
    assert run(str(finished), "--out", str(tmp_path / "no" / "page.html")).exit_code == 2


# The policy's chances


@pytest.mark.parametrize("sample", [False, True])
def test_the_policy_tells_its_chances(dice: Game, sample: bool) -> None:
    agent = NetAgent(random_net(dice, 3), sample=sample)
    rng = np.random.default_rng(1)
    seen = np.repeat(rng.uniform(size=(3, dice.observation.size)).astype(np.float32), 4000, axis=0)
    masks = np.repeat(
        (rng.uniform(size=(3, dice.actions.size)) < 0.2).astype(np.int8), 4000, axis=0
    )
    masks[:, 0] = 1
    chances = action_chances(agent, seen, masks)
    streams = np.arange(len(seen), dtype=np.uint64)
    played: Any = np.eye(dice.actions.size)[agent.act(seen, masks, streams)]
    for rows in (slice(0, 4000), slice(4000, 8000), slice(8000, 12000)):
        assert played[rows].mean(axis=0) == pytest.approx(chances[rows.start], abs=0.04)


def test_the_run_that_is_loaded(finished: Path) -> None:
    told = run_record.load_run(finished)
    assert told.checkpoint.folder.name == "checkpoint-1536"
    assert [each.steps for each in told.evaluations][-1] == 1536
    assert told.options["target"] == 4
    assert 1 <= len(told.standings) <= 2
