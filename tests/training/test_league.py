"""Which of its own snapshots the learner meets: the pool's records, and the newest snapshot."""

import json
from pathlib import Path

import numpy as np
import pytest
from dino_training import checkpoint, disk
from dino_training.checkpoint import CheckpointError
from dino_training.config import Config
from dino_training.league import UNKNOWN, League, LeagueError, drawn_shares, pool_shares
from dino_training.learner import GAMES, Learner
from dino_training.train import resumed_config, train
from safetensors.numpy import save as save_arrays

from dino_envs.engine import Game, UnknownAgentError

from .conftest import make_env, play, quiet, random_net, small
from .test_train import interrupted_run

SELVES = ("opponents.shares={greedy: 1, latest: 1, snapshot: 2}", "opponents.snapshot_every=256",
          "options.target=15")  # fmt: skip
"""Settings of a run with opponents of every kind, a snapshot every update, and short games."""


def pool(game: Game, size: int, **shares: float) -> League:
    """Returns a league with a full pool of so many."""
    league = League(game, shares or {"snapshot": 1.0}, pool_size=size)
    for number in range(size):
        league.add(random_net(game, number), 10 * number)
    return league


# The pool


def test_members_are_drawn_by_how_often_they_win(dice: Game) -> None:
    league = pool(dice, 3, greedy=1.0, snapshot=3.0)
    assert league.weights()[:4].tolist() == pytest.approx([1, 1, 1, 1])
    rng = np.random.default_rng(0)
    for _ in range(2000):
        for place, wins in ((1, 0.6), (2, 0.3), (3, 0.1)):
            league.ended(place, -1.0 if rng.random() < wins else 1.0)
    assert league.records.games[:3].tolist() == [2000] * 3
    np.testing.assert_allclose(league.records.lost[:3], [0.6, 0.3, 0.1], atol=0.12)
    weights = league.weights()
    lost = league.records.lost[:3]
    np.testing.assert_allclose(weights[1:4], 3 * lost / lost.sum())
    assert weights.sum() == pytest.approx(4)
    assert weights[1] > weights[2] > weights[3]


@pytest.mark.parametrize(
    ("outcome", "lost"), [(1.0, 0.0), (0.0, 0.5), (-1.0, 1.0), (-1 / 3, 2 / 3), (40.0, 0.0)]
)
def test_a_record_comes_to_what_the_outcomes_say(dice: Game, outcome: float, lost: float) -> None:
    league = pool(dice, 1)
    for _ in range(1500):
        league.ended(0, outcome)
    assert league.records.lost[0] == pytest.approx(lost, abs=1e-5)


def test_what_a_record_says_fades(dice: Game) -> None:
    league = pool(dice, 1)
    for outcome, games, lost in ((-1.0, 600, 1.0), (1.0, 69, 0.5), (1.0, 600, 0.0)):
        for _ in range(games):
            league.ended(0, outcome)
        assert league.records.lost[0] == pytest.approx(lost, abs=0.01)


def test_nobody_disappears_from_the_draw() -> None:
    shares = pool_shares(np.array([1.0, 0.0, 0.0, 0.01]))
    assert shares.sum() == pytest.approx(1)
    assert shares[1:].tolist() == pytest.approx([0.05 / 1.15] * 3)
    assert pool_shares(np.zeros(4)).tolist() == [0.25] * 4


def test_a_new_member_is_drawn_as_often_as_the_strongest_and_begins_anew(dice: Game) -> None:
    league = pool(dice, 2)
    for outcome, place in ((1.0, 0), (-1.0, 1)):
        for _ in range(40):
            league.ended(place, outcome)
    for number in (2, 3):  # of four places, two of them drawn
        (place,) = league.add(random_net(dice, number), 10 * number)
        newest, other = (league.records.lost[number], league.records.lost[number - 1])
        assert newest == other == league.records.lost[1] > 0.6
        assert league.weights()[number] == pytest.approx(0.5)
    league.ended(3, 1.0)
    assert league.records.games.tolist() == [40, 40, 0, 1]
    (place,) = league.add(random_net(dice, 4), 40)
    assert place == 0
    assert league.records.games[0] == 0
    assert league.records.steps.tolist() == [40, 10, 20, 30]
    assert league.members.tolist() == [3, 4]


def recorded(game: Game, reward: str, players: int) -> tuple[list[float], list[float]]:
    """Returns what the records were told of games, and what the learner was paid in each."""
    options = {"num_players": players, "target": 20}
    env = make_env(game, 16, {"snapshot": 1.0}, snapshots=3, reward=reward, options=options)
    told, paid = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(env.league, "ended", lambda _, outcome: told.append(outcome))
        for *_, infos in play(env, 150):
            paid += [info["episode"]["r"] for info in infos if info]
    return told, paid


@pytest.mark.parametrize("players", [2, 3])
def test_records_are_of_outcomes_whatever_steps_pay(dice: Game, players: int) -> None:
    outcomes, paid = recorded(dice, "outcome", players)
    assert outcomes == pytest.approx(paid)
    assert len(outcomes) > 100
    for reward in ("score", "points"):
        told, paid = recorded(dice, reward, players)
        assert told == outcomes != paid


def test_the_draw_changes_when_told_to_and_not_before(dice: Game) -> None:
    env = make_env(dice, 8, {"snapshot": 1.0}, snapshots=2)
    env.reset()
    before = env.games.shares
    for _ in range(50):
        env.league.ended(0, 1.0)
    np.testing.assert_array_equal(env.games.shares, before)
    env.reweigh()
    assert env.games.shares[0] < before[0]
    assert env.games.shares.sum() == pytest.approx(1)


# The newest snapshot


def test_latest_alone_is_the_newest_snapshot(dice: Game) -> None:
    env = make_env(dice, 16, {"latest": 1.0})
    with pytest.raises(LeagueError, match="add_snapshot"):
        env.reset()
    for number in range(12):
        net = random_net(dice, number)
        env.add_snapshot(net)
        env.reset()
        assert {id(env.games.table.agents[place].net) for place in env.games.opponents} == {id(net)}
    infos = [info for *_, infos in play(env, 80) for info in infos if info]
    assert {info["opponent"] for info in infos} == {"latest"}
    assert list(env.paid) == ["latest"]
    assert env.paid["latest"][0] == len(infos) == env.league.records.games[11]


def test_latest_and_the_pool_are_told_apart(dice: Game) -> None:
    shares = {"greedy": 1.0, "latest": 2.0, "snapshot": 1.0}
    env = make_env(dice, 64, shares, snapshots=3)
    drawn = []
    for _ in range(60):
        env.reset()
        drawn += [env.league.name(place) for place in env.games.opponents]
    counts = {name: drawn.count(name) / len(drawn) for name in shares}
    assert counts == pytest.approx({"greedy": 0.25, "latest": 0.5, "snapshot": 0.25}, abs=0.03)
    for _ in play(env, 60):
        pass
    assert list(env.paid) == list(env.league.kinds) == list(shares)
    assert all(games > 0 for games, _ in env.paid.values())
    ended = env.paid["latest"][0] + env.paid["snapshot"][0]
    assert env.league.records.games.sum() == ended


def test_a_game_keeps_its_latest_opponent_and_counts_for_it(dice: Game) -> None:
    league = pool(dice, 3, latest=1.0)
    for number in range(3, 20):
        _, place = league.add(random_net(dice, number))
        agent = league.agents[place]
        for later in range(1, 4):  # as many as the pool holds
            league.ended(place, 1.0)
            assert league.agents[place] is agent
            assert league.records.games[number % 6] == later
            league.add(random_net(dice, number + later))
        league.added = number + 1


def test_the_share_of_a_member_is_of_all_draws() -> None:
    shares = {"greedy": 1.0, "latest": 1.0, "snapshot": 2.0}
    assert drawn_shares(shares, np.array([0.3, 0.1])).tolist() == pytest.approx([0.375, 0.375])
    assert drawn_shares({"greedy": 1.0}, np.array([0.3, 0.1])).tolist() == [0, 0]


@pytest.mark.parametrize(("name", "meant"), [("snapshots", "snapshot"), ("lastest", "latest")])
def test_a_mistyped_name_is_told_the_nearest(tmp_path: Path, name: str, meant: str) -> None:
    with pytest.raises(UnknownAgentError, match=f"{name}.* did you mean the share of '{meant}'"):
        train("dino_dice", small(f"opponents.shares={{{name}: 1}}"), tmp_path, console=quiet())


def test_more_opponents_than_a_league_has_places_are_refused(dice: Game) -> None:
    shares = {f"mcts:simulations={n}": 1.0 for n in range(1, 32)}
    with pytest.raises(LeagueError, match="at most 127 places"):
        League(dice, {**shares, "latest": 1.0}, pool_size=32)
    League(dice, shares, pool_size=32)


# A run


def arrays_of(run: Path) -> dict[str, np.ndarray]:
    return checkpoint.load(run).arrays(GAMES)


@pytest.mark.parametrize("steps", [256, 1024])
def test_a_resumed_run_draws_as_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: Game, steps: int
) -> None:
    train("dino_dice", small(*SELVES), tmp_path / "whole", console=quiet())
    out = tmp_path / "halves"
    interrupted_run(out, steps, monkeypatch, *SELVES)
    train("dino_dice", resumed_config(dice, out), out, resume=True, console=quiet())
    whole, halves = arrays_of(tmp_path / "whole"), arrays_of(out)
    assert whole.keys() == halves.keys()
    for name in whole:
        np.testing.assert_array_equal(whole[name], halves[name], err_msg=name)
    assert whole["pool_steps"].tolist() == [1024, 1280, 512, 768]
    assert (whole["pool_games"] > 0).all()
    assert len({*whole["pool_lost"]}) > 1
    one, two = (checkpoint.load(run).description for run in (tmp_path / "whole", out))
    assert one["games"] == two["games"]
    assert list(one["games"]["paid"]) == ["greedy", "latest", "snapshot"]


def rewrite(run: Path, form: int, arrays: dict[str, np.ndarray]) -> None:
    """Writes the latest checkpoint anew, in another format and with other arrays of its games."""
    folder = checkpoint.find(run)
    told = {**json.loads((folder / checkpoint.DESCRIPTION).read_text()), "format": form}
    files = {name: (folder / name).read_bytes() for name in told.pop("files")}
    disk.write_checkpoint(run, folder.name, told, {**files, GAMES: save_arrays(arrays)})


@pytest.fixture
def run(tmp_path: Path) -> Path:
    train("dino_dice", small("total_steps=512"), tmp_path / "run", console=quiet())
    return tmp_path / "run"


def longer() -> Config:
    return small("total_steps=768")


def test_a_run_of_before_there_were_records_goes_on_with_new_ones(run: Path, dice: Game) -> None:
    arrays = {k: v for k, v in arrays_of(run).items() if not k.startswith("pool_")}
    rewrite(run, 3, arrays)
    learner = Learner(dice, longer())
    learner.restore(checkpoint.load(run, dice))
    records = learner.env.league.records
    assert records.steps.tolist() == [UNKNOWN] * 4
    assert (records.games.tolist(), records.lost.tolist()) == ([0] * 4, [0.5] * 4)
    train("dino_dice", longer(), run, resume=True, console=quiet())
    assert "pool_lost" in arrays_of(run)


@pytest.mark.parametrize("lost", [None, np.full(4, np.nan), np.full(4, 2.0), np.full(5, 0.5)])
def test_records_that_are_none_are_damage(run: Path, dice: Game, lost: np.ndarray | None) -> None:
    arrays = {k: v for k, v in arrays_of(run).items() if k != "pool_lost"}
    rewrite(run, 4, arrays if lost is None else {**arrays, "pool_lost": lost})
    with pytest.raises(CheckpointError, match=r"is damaged: 'pool_lost' in .* does not fit"):
        train("dino_dice", longer(), run, resume=True, console=quiet())
