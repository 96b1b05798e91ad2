"""What goes wrong around the games: wrong arrays, forks, damaged caches, copies of foreign bots."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dino_envs.agents import BotAgent, make_agent
from dino_envs.agents.table import Table
from dino_envs.engine import RANDOM, ArgumentError, Batch, Bot, Game, UnknownAgentError, ask, kernel
from dino_envs.engine.disk import cached_table
from dino_envs.evaluation import evaluate


def dealt(game: Game, size: int = 64, **options: Any) -> Batch:
    batch = Batch(game, size, bots=[RANDOM], **options)
    batch.deal(np.arange(size, dtype=np.uint64))
    return batch


@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(3, np.int64),
        np.zeros((64, 1), np.int64),
        np.int64(0),
        np.zeros(64),
        np.full(64, np.nan),
        ["0"] * 64,
        np.full(64, 2**63, np.uint64),
    ],
)
def test_a_batch_takes_whole_actions_one_a_game(game: Game, actions: Any) -> None:
    batch = dealt(game)
    batch.play()
    before = batch.states.tobytes()
    with pytest.raises(ArgumentError, match="actions"):
        batch.play(actions)
    assert batch.states.tobytes() == before


def test_a_batch_takes_seeds_seats_and_players_that_fit(game: Game) -> None:
    batch = dealt(game)
    for seeds in (np.zeros(3, np.uint64), np.zeros(64), np.full(64, -1)):
        with pytest.raises(ArgumentError, match="seeds"):
            batch.deal(seeds)
    for seats in (np.zeros(3, np.int64), np.full(64, -1), np.full(64, 99), np.zeros(64)):
        with pytest.raises(ArgumentError, match="seats"):
            batch.look(seats)
    with pytest.raises(ArgumentError, match="where"):
        batch.deal(np.zeros(64, np.uint64), np.ones(3, bool))
    for players in (-2, 1):
        batch.players[5, 0] = players
        with pytest.raises(ArgumentError, match="players"):
            batch.play()


def test_seeds_are_read_with_their_stride(game: Game) -> None:
    seeds = np.arange(128, dtype=np.uint64)
    one, other = dealt(game), dealt(game)
    one.deal(seeds[::2])
    other.deal(seeds[::2].copy())
    assert one.states.tobytes() == other.states.tobytes()


def test_a_bot_is_asked_with_arrays_that_fit(game: Game) -> None:
    batch = dealt(game)
    batch.play()
    streams = np.zeros(64, np.uint64)
    with pytest.raises(ArgumentError, match="masks"):
        ask(game, RANDOM, batch.observations, batch.masks[:3], streams)
    with pytest.raises(ArgumentError, match="streams"):
        ask(game, RANDOM, batch.observations, batch.masks, streams[:3])
    with pytest.raises(ArgumentError, match="observations"):
        ask(game, RANDOM, batch.observations[:, :3], batch.masks, streams)


@kernel
def _last_legal(observation, mask, stream, knowledge):
    for action in range(mask.shape[0] - 1, -1, -1):
        if mask[action]:
            return action
    return -1


def test_copies_keep_a_bot_that_no_game_knows(game: Game) -> None:
    own = Bot(_last_legal, "plays the last legal action")
    batch = Batch(game, 32, bots=[own])
    batch.players[:] = 0
    batch.deal(np.arange(32, dtype=np.uint64))
    other = copy.deepcopy(batch)
    for played in (batch, other):
        played.play()
    assert other.log.tolist() == batch.log.tolist()
    with pytest.raises(UnknownAgentError, match="cannot be pickled"):
        pickle.dumps(batch)
    name = next(iter(game.bots))
    known = pickle.loads(pickle.dumps(make_agent(name, game)))
    assert known.bot is game.bots[name]
    assert BotAgent(game, own).bot.name == "bot"


def test_a_changed_copy_of_a_game_leaves_the_bots_where_they_are(game: Game) -> None:
    name = next(iter(game.bots))
    copied = replace(game, module="elsewhere.another")
    assert copied.bots[name].home == (game.id, name)
    assert pickle.loads(pickle.dumps(game.bots[name])) is game.bots[name]


def test_what_is_no_agent_is_refused(game: Game, tmp_path: Path, monkeypatch: Any) -> None:
    for wrong in (None, 3, ["greedy"], object()):
        with pytest.raises(UnknownAgentError, match="no agent"):
            Table(game, 1, [wrong])
    for spec in (":x", ".a:b", "os:getcwd", "nowhere_at_all:make", "os:nothing"):
        with pytest.raises(UnknownAgentError, match="makes no agent"):
            make_agent(spec, game)
    (tmp_path / "my_own_bot.py").write_text(
        "class First:\n"
        "    def act(self, observations, masks, streams):\n"
        "        return masks.argmax(axis=1)\n"
        "def make(game):\n"
        "    return First()\n"
    )
    monkeypatch.chdir(tmp_path)
    assert evaluate(game, "my_own_bot:make", "random", games=4).illegal_moves == 0


def _score(queue: Any, game: Game) -> None:
    queue.put(evaluate(game, next(iter(game.bots)), "random", games=2000, threads=2).score)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_threads_of_its_own(game: Game) -> None:
    here = evaluate(game, next(iter(game.bots)), "random", games=2000, threads=2).score
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_score, args=(queue, game))
    child.start()
    assert queue.get(timeout=60) == here
    child.join(timeout=60)


PLAY = """
import sys
import numpy as np
from dino_envs.engine import RANDOM, Batch
from dino_envs.games import load
batch = Batch(load(sys.argv[1]), 4, bots=[RANDOM])
batch.players[:] = 0
batch.deal(np.arange(4, dtype=np.uint64))
batch.play()
print(batch.log.tolist())
"""


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"garbage", None], ids=["empty", "garbage", "cut"])
def test_damaged_cache_files_are_made_anew(game: Game, tmp_path: Path, damage: bytes) -> None:
    def run() -> str:
        done = subprocess.run(
            [sys.executable, "-c", PLAY, game.id],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    first = run()
    for ending in ("*.nbi", "*.nbc"):
        for path in tmp_path.rglob(ending):
            path.write_bytes(path.read_bytes()[:100] if damage is None else damage)
        assert run() == first


@pytest.mark.parametrize("damage", ["empty", "cut", "shape", "type"])
def test_a_damaged_table_is_computed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr("dino_envs.engine.disk._root", lambda: tmp_path)
    wanted = np.arange(6, dtype=np.uint8)
    arguments = ("table", [__file__], (6,), np.uint8, lambda: wanted)
    assert cached_table(*arguments).tolist() == wanted.tolist()
    (path,) = (tmp_path / "tables").glob("*.npy")
    if damage in ("empty", "cut"):
        path.write_bytes(path.read_bytes()[: 0 if damage == "empty" else -3])
    else:
        np.save(path, np.zeros(5, np.uint8) if damage == "shape" else np.zeros(6))
    assert cached_table(*arguments).tolist() == wanted.tolist()
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_every_bot_plays_without_compiling(game: Game) -> None:
    code = (
        "import sys; from dino_envs.evaluation import baselines, evaluate; "
        "from dino_envs.games import load; game = load(sys.argv[1]); "
        "print([evaluate(game, name, 'random', games=4).points for name in baselines(game)])"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code, game.id],
            env={**os.environ, "NUMBA_DISABLE_JIT": flag},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for flag in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
