"""The engine: batches, what it plays without the compiler, and what it keeps on disk.

Run as a program this file prints a fingerprint of the stream and of random play of every game; the
tests compare it between compiled and plain Python.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dino_envs
from dino_envs.engine import (
    EXTERNAL,
    FORFEITED,
    RANDOM,
    RUNNING,
    Batch,
    Game,
    OptionError,
    ask,
    stream,
)
from dino_envs.engine.loops import MAX_BOTS
from dino_envs.engine.reward import REWARDS
from dino_envs.games import games, load

PACKAGE = Path(dino_envs.__file__).parent


def bot_batch(game: Game, games_: int, first_seed: int, threads: int = 1, **options: Any) -> Batch:
    """Returns dealt games in which all seats play at random."""
    batch = Batch(game, games_, bots=[RANDOM], threads=threads, **options)
    batch.players[:] = 0
    seeds = np.arange(first_seed, first_seed + games_, dtype=np.uint64)
    for seat in range(batch.num_players):
        batch.streams[:, seat] = seeds + np.uint64(1000 * (seat + 1))
    batch.deal(seeds)
    return batch


def contents(batch: Batch, game: int | slice = slice(None)) -> list[bytes]:
    """Returns the bytes of all that a batch holds, of one game or all."""
    arrays = (
        batch.states, batch.observations, batch.masks, batch.log, batch.steps,
        batch.returns, batch.rewards, batch.streams, batch.illegal,
    )  # fmt: skip
    return [np.ascontiguousarray(array[game]).tobytes() for array in arrays]


@pytest.mark.parametrize("reward", REWARDS)
def test_a_batch_plays_as_single_games_do(game, reward):
    together = bot_batch(game, 64, 0, reward=reward)
    together.play()
    for i in range(64):
        alone = bot_batch(game, 1, i, reward=reward)
        alone.play()
        assert contents(alone, 0) == contents(together, i)


def test_a_batch_plays_the_same_on_any_number_of_threads(game):
    one, two, five = (bot_batch(game, 330, 7, threads) for threads in (1, 2, 5))
    for batch in (one, two, five):
        batch.play()
    assert contents(one) == contents(two)
    assert contents(one) == contents(five)


def played_by_hand(game: Game, games_: int, threads: int) -> Batch:
    """Returns finished games whose seat 0 was played from outside, one sub-step after another."""
    batch = bot_batch(game, games_, 3, threads)
    batch.players[:, 0] = EXTERNAL
    rng = np.random.default_rng(0)
    batch.play()
    while batch.running.any():
        chances = rng.random((games_, game.actions.size)) * batch.masks
        batch.play(np.where(batch.running, chances.argmax(1), -1))
    return batch


def test_outside_seats_play_the_same_on_any_number_of_threads(game):
    assert contents(played_by_hand(game, 130, 1)) == contents(played_by_hand(game, 130, 2))


def test_bots_alone_play_to_the_end_in_one_call(game):
    batch = bot_batch(game, 64, 11)
    assert batch.running.all()
    batch.play()
    assert not batch.running.any()
    assert (batch.steps > 0).all()
    assert (batch.illegal == 0).all()
    finished = contents(batch)
    batch.play()
    assert contents(batch) == finished


def test_a_game_waits_for_its_outside_seat_and_shows_what_that_seat_sees(game):
    batch = bot_batch(game, 64, 12)
    last = batch.num_players - 1
    batch.players[:, last] = EXTERNAL
    batch.play()
    waiting = batch.running
    assert waiting.any()
    assert (batch.movers[waiting] == last).all()
    assert (batch.masks[waiting].sum(1) >= 1).all()
    seen = batch.look(np.full(64, last))
    assert (batch.observations[waiting] == seen[waiting]).all()
    before = contents(batch)
    batch.play()
    batch.play(np.full(64, -1))
    assert contents(batch) == before


def test_the_log_is_a_hash_of_the_actions(game):
    batch = Batch(game, 2)
    batch.deal(np.array([4, 4], np.uint64))
    batch.play()
    first = batch.masks.argmax(1)
    last = game.actions.size - 1 - batch.masks[:, ::-1].argmax(1)
    batch.play(np.array([first[0], last[1]]))
    assert first[0] != last[1]
    assert batch.log[0] != batch.log[1]
    assert batch.log[0] == np.uint64(stream.mix(np.uint64(int(first[0]) + 1)))
    assert batch.steps.tolist() == [1, 1]


def test_dealing_some_games_leaves_the_others_alone(game):
    batch, fresh = bot_batch(game, 8, 13), bot_batch(game, 8, 13)
    batch.play()
    where = np.arange(8) % 2 == 0
    kept = [contents(batch, i) for i in range(8)]
    batch.deal(np.arange(13, 21, dtype=np.uint64), where)
    for i in range(8):
        if where[i]:
            assert batch.states[i].tobytes() == fresh.states[i].tobytes()
            assert batch.steps[i] == 0
            assert batch.log[i] == 0
            assert (batch.rewards[i] == 0).all()
            assert (batch.returns[i] == 0).all()
        else:
            assert contents(batch, i) == kept[i]


@pytest.mark.parametrize("most", [False, True])
@pytest.mark.parametrize("wrong", ["masked", "too high", "negative"])
def test_an_illegal_action_forfeits_that_game_alone(game, wrong, most):
    players = game.max_players if most else game.min_players
    batch = Batch(game, 3, num_players=players)
    batch.deal(np.arange(3, dtype=np.uint64))
    batch.play()
    if wrong == "masked":
        assert not batch.masks[1].all(), "the opening of this game forbids something"
    bad = {"masked": int(batch.masks[1].argmin()), "too high": game.actions.size, "negative": -2}
    actions = batch.masks.argmax(1)
    actions[1] = bad[wrong]
    before, offender = batch.states[1].copy(), int(batch.movers[1])
    batch.play(actions)
    assert batch.illegal.tolist() == [0, 1 + offender, 0]
    assert batch.states[1].ending == FORFEITED
    assert batch.states[[0, 2]]["ending"].tolist() == [RUNNING, RUNNING]
    before.ending = FORFEITED
    assert batch.states[1].tobytes() == before.tobytes(), "nothing else may change"
    paid = np.full(players, 1 / max(players - 1, 1), np.float32)
    paid[slice(None) if players in game.cooperative else offender] = -1
    assert batch.returns[1].tolist() == paid.tolist()
    assert batch.rewards[1].tolist() == paid.tolist()
    assert batch.returns[[0, 2]].tolist() == np.zeros((2, players)).tolist()


def test_an_action_is_judged_by_the_position_dealt_last(game):
    cases = []
    for seed in range(1, 60):
        fresh = np.zeros(game.actions.size, np.int8)
        batch = Batch(game, 1)
        batch.deal(np.array([0], np.uint64))
        batch.play()
        batch.deal(np.array([seed], np.uint64))
        game.kernels.legal_actions(batch.states[0], fresh)
        cases += [(int(bad), seed, batch) for bad in np.flatnonzero(batch.masks[0] > fresh)]
    if not cases:
        pytest.skip("whatever is dealt, the opening allows the same")
    action, _, batch = min(cases, key=lambda case: case[:2])
    batch.play(np.array([action]))
    assert batch.illegal[0] != 0


def test_rewards_by_outcome_are_the_returns_paid_at_the_end(game):
    batch = Batch(game, 40)
    batch.deal(np.arange(40, dtype=np.uint64))
    rng = np.random.default_rng(1)
    batch.play()
    while batch.running.any():
        assert (batch.rewards[batch.running] == 0).all()
        chances = rng.random(batch.masks.shape) * batch.masks
        batch.play(np.where(batch.running, chances.argmax(1), -1))
    assert (batch.rewards == batch.returns).all()
    assert np.abs(batch.returns).max() <= 1


@pytest.mark.parametrize("most", [False, True])
def test_rewards_by_points_add_up_to_the_score(game, most):
    players = game.max_players if most else game.min_players
    batch = Batch(game, 40, reward="points", num_players=players)
    batch.deal(np.arange(40, dtype=np.uint64))
    start = batch.states["score"][:, :players].copy()
    rng = np.random.default_rng(2)
    batch.play()
    while batch.running.any():
        chances = rng.random(batch.masks.shape) * batch.masks
        batch.play(np.where(batch.running, chances.argmax(1), -1))
        assert (batch.rewards == batch.states["score"][:, :players] - start).all()


def test_there_are_no_other_rewards(game):
    with pytest.raises(OptionError, match="choose one of outcome, score, points"):
        Batch(game, 1, reward="wins")


@pytest.mark.parametrize("most", [False, True])
def test_rewards_by_score_add_up_to_the_lead_and_to_zero(game, most):
    players = game.max_players if most else game.min_players
    batch = Batch(game, 40, reward="score", num_players=players)
    batch.deal(np.arange(40, dtype=np.uint64))
    start = batch.states["score"][:, :players].copy()
    rng = np.random.default_rng(2)
    batch.play()
    while batch.running.any():
        chances = rng.random(batch.masks.shape) * batch.masks
        batch.play(np.where(batch.running, chances.argmax(1), -1))
        gained = (batch.states["score"][:, :players] - start).astype(float)
        if players == 1 or players in game.cooperative:
            np.testing.assert_array_equal(batch.rewards, gained)
            continue
        np.testing.assert_allclose(batch.rewards.sum(1), 0, atol=1e-3)
        others = (gained.sum(1, keepdims=True) - gained) / (players - 1)
        np.testing.assert_allclose(batch.rewards, gained - others, atol=1e-3)
    assert (batch.rewards != 0).any()
    for i in range(40):
        returns = np.zeros(players, np.float32)
        game.kernels.outcome(batch.states[i], returns)
        assert batch.returns[i].tolist() == returns.tolist()


def test_ask_is_what_the_bot_plays_inside_the_loop(game):
    batch = Batch(game, 50)
    batch.deal(np.arange(50, dtype=np.uint64))
    batch.play()
    ours = np.arange(50, dtype=np.uint64)
    theirs = ours.copy()
    actions = ask(game, RANDOM, batch.observations, batch.masks, ours)
    assert (batch.masks[np.arange(50), actions] == 1).all()
    expected = [int(stream.choose_legal(theirs[i : i + 1], batch.masks[i])) for i in range(50)]
    assert actions.tolist() == expected
    assert (ours == theirs).all()


def test_ask_takes_every_number_but_0_for_legal(game):
    batch = Batch(game, 50)
    batch.deal(np.arange(50, dtype=np.uint64))
    batch.play()
    for bot in (RANDOM, *game.bots.values()):
        answers = [
            ask(game, bot, batch.observations, batch.masks * legal, np.arange(50, dtype=np.uint64))
            for legal in (np.int8(1), np.int8(127), np.int8(-1))
        ]
        assert answers[0].tolist() == answers[1].tolist() == answers[2].tolist()


def test_a_batch_holds_a_few_bots_and_refuses_more(game):
    assert len(Batch(game, 1, bots=[RANDOM] * MAX_BOTS)) == 1
    with pytest.raises(ValueError, match=f"at most {MAX_BOTS} different bots"):
        Batch(game, 1, bots=[RANDOM] * (MAX_BOTS + 1))


# The same without the compiler.


def stream_fingerprint() -> str:
    digest = hashlib.sha256()
    words, items = np.zeros(1, np.uint64), np.arange(30, dtype=np.int8)
    for n in range(1, 300):
        digest.update(int(stream.below(words, n * n)).to_bytes(8, "big"))
        digest.update(float(stream.uniform(words)).hex().encode())
        digest.update(int(stream.fork(words[0], n)).to_bytes(8, "big"))
    stream.shuffle(words, items, 30)
    digest.update(items.tobytes() + words.tobytes())
    return digest.hexdigest()


def fingerprint(game: Game) -> str:
    """Returns a hash of random games of a kind, by every player count, bots, looks and forfeits."""
    digest = hashlib.sha256()
    scripted = [bot for bot in game.bots.values() if not bot.only][:1]
    for players in sorted({game.min_players, game.default_players, game.max_players}):
        batch = Batch(game, 4, bots=[RANDOM, *scripted], reward="score", num_players=players)
        batch.players[:] = np.arange(players) % (1 + len(scripted))
        batch.players[0] = EXTERNAL
        batch.streams[:] = np.arange(4 * players).reshape(4, players)
        batch.deal(np.arange(4, dtype=np.uint64))
        batch.play()
        for part in contents(batch):
            digest.update(part)
        digest.update(batch.look(np.full(4, players - 1)).tobytes())
        game.kernels.redeal(batch.states[0], players - 1, np.uint64(99))
        batch.play(np.full(4, game.actions.size))
        for part in contents(batch):
            digest.update(part)
    return digest.hexdigest()


def fingerprints() -> str:
    return "\n".join([stream_fingerprint(), *(fingerprint(load(name)) for name in games())])


def python(*arguments: str, package: Path = PACKAGE, **environment: str) -> Any:
    """Runs a fresh interpreter, warnings as errors, on the package in that folder."""
    return subprocess.run(
        [sys.executable, "-P", "-W", "error", *arguments],
        env={**os.environ, "PYTHONPATH": str(package.parent), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_plain_python_gives_the_same_bytes():
    done = python(__file__, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == fingerprints()


# What is kept on disk.

WHERE = """
import sys
from pathlib import Path
import dino_envs
from dino_envs.engine.disk import cache_folder
root = Path(dino_envs.__file__).parent
assert root == Path(sys.argv[1]), root
for place in sys.argv[2:]:
    print(cache_folder(root / place))
"""


@pytest.fixture
def copied_package(tmp_path: Path) -> Path:
    """Returns a copy of the package whose sources may be changed."""
    target = tmp_path / "copy" / PACKAGE.name
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def cache_folders(package: Path) -> list[str]:
    places = ["engine", *(f"games/{name}" for name in games())]
    done = python("-c", WHERE, str(package), *places, package=package)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def append_line(path: Path) -> None:
    path.write_text(path.read_text() + "\n# a change\n")


def test_the_cache_folder_changes_with_the_sources_it_came_from(copied_package):
    first = cache_folders(copied_package)
    assert len(set(first)) == 1 + len(games())
    assert cache_folders(copied_package) == first, "unchanged sources keep their folder"

    append_line(copied_package / "games" / games()[0] / "observation.py")
    second = cache_folders(copied_package)
    changed = [old != new for old, new in zip(first, second, strict=True)]
    assert changed == [False, True] + [False] * (len(games()) - 1)

    append_line(copied_package / "engine" / "stream.py")
    third = cache_folders(copied_package)
    assert all(old != new for old, new in zip(second, third, strict=True))


SMALL = """
import numpy as np
from dino_envs.engine import stream
print(int(stream.next_word(np.array([1234567], np.uint64))))
"""


@pytest.mark.parametrize("obstacle", ["no folder", "read-only"])
def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, obstacle):
    place = tmp_path / "place"
    if obstacle == "no folder":
        place.write_text("a file where the folder should be")
    else:
        place.mkdir(mode=0o500)
        if os.access(place, os.W_OK):
            pytest.skip("this user may write everywhere")
    done = python("-c", SMALL, NUMBA_CACHE_DIR=str(place / "cache"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "6457827717110365317"


PLAY = """
import sys
import numpy as np
from dino_envs.engine import Batch, RANDOM
from dino_envs.games import load
batch = Batch(load(sys.argv[1]), 50, bots=[RANDOM])
batch.players[:] = 0
batch.deal(np.arange(50, dtype=np.uint64))
batch.play()
print(batch.log.sum(), batch.states["score"].sum())
"""


@pytest.mark.slow
def test_a_first_compile_says_so_and_a_second_process_is_silent(game, tmp_path):
    first = python("-c", PLAY, game.id, NUMBA_CACHE_DIR=str(tmp_path))
    assert first.returncode == 0, first.stderr
    assert f"compiling {game.id}, first run only" in first.stderr
    second = python("-c", PLAY, game.id, NUMBA_CACHE_DIR=str(tmp_path))
    assert second.returncode == 0, second.stderr
    assert second.stderr == ""
    assert second.stdout == first.stdout


@pytest.mark.slow
def test_a_changed_kernel_is_never_played_from_a_stale_cache(game, copied_package, tmp_path):
    def play() -> str:
        cache = str(tmp_path / "cache")
        done = python("-c", PLAY, game.id, package=copied_package, NUMBA_CACHE_DIR=cache)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    before = play()
    source = copied_package / "engine" / "stream.py"
    changed = source.read_text().replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17")
    assert changed != source.read_text()
    source.write_text(changed)
    after = play()
    assert after != before
    source.write_text(changed.replace("0x9E3779B97F4A7C17", "0x9E3779B97F4A7C15"))
    assert play() == before


if __name__ == "__main__":
    print(fingerprints())
