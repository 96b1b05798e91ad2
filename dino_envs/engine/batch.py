"""Many games of one kind, played together by compiled loops on one or more threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from dino_envs.engine.bot import RANDOM, Bot
from dino_envs.engine.errors import ArgumentError, OptionError
from dino_envs.engine.game import Game
from dino_envs.engine.kernel import Compiled, function_type, usable_cores
from dino_envs.engine.layout import RUNNING
from dino_envs.engine.loops import EXTERNAL, MAX_BOTS, Loops, make_loops
from dino_envs.engine.loops import ask as ask_loop
from dino_envs.engine.reward import reward_mode

_GAMES_A_TASK = 64
"""Fewer games than this are not worth handing to another thread."""


@cache
def _loops(game: Game) -> Loops:
    rules = game.rules
    return make_loops(rules.reset, rules.legal_actions, rules.step, rules.observe, rules.outcome)


@cache
def compiled_loop(game: Game, name: str) -> Callable[..., Any]:
    """Returns one of the `Loops` over a game, compiled or loaded from disk."""
    states = types.Array(from_dtype(game.state), 1, "C")
    records = types.Array(from_dtype(game.observation.dtype), 1, "C")
    i1, i4, i8, u8, f4 = types.int8, types.int32, types.int64, types.uint64, types.float32
    acts = types.UniTuple(function_type(game.signatures["act"]), MAX_BOTS)
    tables = types.UniTuple(types.uint8[::1], MAX_BOTS)
    span = (i8, i8)
    arguments = {
        "deal": (states, states, u8[::1], i1[::1], *span),
        "play": (
            acts, tables, i8, i8, i8,
            states, i1[:, ::1], u8[:, ::1], i8[::1], records, f4[:, ::1], i1[:, ::1],
            i4[:, ::1], f4[:, ::1], f4[:, ::1], u8[::1], i4[::1], i1[::1], *span,
        ),
        "look": (states, i8[::1], i1[::1], records, *span),
        "turn": (states, i8, i1[::1]),
        "glance": (states, i8, records),
    }  # fmt: skip
    return Compiled(getattr(_loops(game), name), types.void(*arguments[name]), game.id).call


@cache
def _compiled_ask(game: Game) -> Callable[..., None]:
    records = types.Array(from_dtype(game.observation.dtype), 1, "C")
    signature = types.void(
        function_type(game.signatures["act"]), records, types.int8[:, ::1], types.uint64[::1],
        types.uint8[::1], types.int64[::1],
    )  # fmt: skip
    return Compiled(ask_loop, signature, game.id).call


@cache
def compiled_bot(game: Game, bot: Bot) -> tuple[Compiled, npt.NDArray[np.uint8]]:
    """Returns a bot ready to play: its compiled `act` and the table it plays from."""
    return Compiled(bot.act, game.signatures["act"], game.id), bot.knowledge()


@cache
def thread_pool() -> ThreadPoolExecutor:
    """Returns the threads that compiled code runs on, one a usable core."""
    return ThreadPoolExecutor(usable_cores(), thread_name_prefix="dino-envs")


if hasattr(os, "register_at_fork"):  # a forked child has the pool, but none of its threads
    os.register_at_fork(after_in_child=thread_pool.cache_clear)


def _array(name: str, given: Any, dtype: Any, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Returns an argument as the contiguous array that compiled code takes unseen.

    Raises:
        ArgumentError: it has another shape, or values that are no whole numbers or do not fit.
    """
    array = np.asarray(given)
    whole = array.dtype.kind in "iub" or np.dtype(dtype).kind == "f"
    if array.shape != shape or not whole:
        raise ArgumentError(
            f"{name} must be {np.dtype(dtype)} {list(shape)}, not {array.dtype} {list(array.shape)}"
        )
    if array.dtype != dtype and array.size and np.dtype(dtype).kind in "iu":
        limits = np.iinfo(dtype)
        if array.min() < limits.min or array.max() > limits.max:
            raise ArgumentError(f"{name} has values that do not fit {np.dtype(dtype)}")
    return np.ascontiguousarray(array, dtype)


class Batch:
    """B games of one kind and one player count P, each with its own random stream.

    Game i plays exactly as it would alone: neither the batch size nor the number of threads
    changes it. The arrays are live buffers; views copy what they hand out.

    All seats played from outside, to the end of every game::

        batch = Batch(dino_envs.games.load(game_id), 4096)
        batch.deal(np.arange(4096, dtype=np.uint64))  # the seeds
        batch.play()  # up to the first decision
        while batch.running.any():
            batch.play(policy(batch.observations, batch.masks))  # int64 [B]

    Attributes:
        states: [B] the games.
        players: int8 [B, P], which of `bots` decides for a seat; EXTERNAL (-1): the caller does.
        streams: uint64 [B, P], the bots' own random streams.
        observations, masks: float32 [B, F] and int8 [B, A] of the seat to move, written by `play`.
        returns: float32 [B, P], once a game is over.
        rewards: float32 [B, P], summed until the caller sets them to zero.
        log: uint64 [B], a hash of all actions of the game; `steps` int32 [B] is their number.
        illegal: int8 [B], 1 + the seat that lost by an illegal action, else 0.
    """

    def __init__(
        self,
        game: Game,
        batch: int,
        *,
        bots: Sequence[Bot] = (),
        reward: str = "outcome",
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.game = game
        self._options = game.complete(options)
        self._templates = game.new_states(1, **options)
        seats = int(self._templates["num_players"][0])
        self.states = np.repeat(self._templates, batch)
        self.players = np.full((batch, seats), EXTERNAL, np.int8)
        self.streams = np.zeros((batch, seats), np.uint64)
        self.records = np.zeros(batch, game.observation.dtype)
        self.masks = np.zeros((batch, game.actions.size), np.int8)
        self.returns = np.zeros((batch, seats), np.float32)
        self.rewards = np.zeros((batch, seats), np.float32)
        self.log = np.zeros(batch, np.uint64)
        self.steps = np.zeros(batch, np.int32)
        self.illegal = np.zeros(batch, np.int8)
        self._before = np.zeros((batch, seats), np.int32)
        self._nobody_acts = np.full(batch, -1, np.int64)
        self._reward = reward_mode(reward)
        self._used = game.observation.used(seats)[-1][1]
        self._tasks = max(1, min(threads, batch // _GAMES_A_TASK))
        self._compile()
        self.seat_bots(bots)

    def __getstate__(self) -> dict[str, Any]:
        """Returns all but compiled code and what views other memory."""
        parts = dict(self.__dict__)
        for name in ("observations", "_deal", "_play", "_acts", "_knowledge"):
            del parts[name]
        return parts

    def __setstate__(self, parts: dict[str, Any]) -> None:
        self.__dict__.update(parts)
        self._compile()
        self.seat_bots(self.bots)

    def _compile(self) -> None:
        game, records = self.game, self.records
        self.observations = records.view(np.float32).reshape(len(records), game.observation.size)
        self._deal, self._play = compiled_loop(game, "deal"), compiled_loop(game, "play")

    def __len__(self) -> int:
        return len(self.states)

    @property
    def num_players(self) -> int:
        """Returns P."""
        return self.players.shape[1]

    @property
    def running(self) -> npt.NDArray[np.bool_]:
        """Returns bool [B]: which games are not over."""
        return np.asarray(self.states["ending"] == RUNNING)

    @property
    def movers(self) -> npt.NDArray[np.int8]:
        """Returns int8 [B]: the seat to move (meaningless in a finished game)."""
        return self.states["current_player"]

    def seat_bots(self, bots: Sequence[Bot]) -> None:
        """Sets the bots that the numbers in `players` mean; at most `MAX_BOTS`."""
        if len(bots) > MAX_BOTS:
            raise ValueError(f"a batch holds at most {MAX_BOTS} different bots, not {len(bots)}")
        self.bots = list(bots)
        self._random_bot = self.bots.index(RANDOM) if RANDOM in self.bots else MAX_BOTS
        ready = [compiled_bot(self.game, bot) for bot in bots] or [compiled_bot(self.game, RANDOM)]
        ready += ready[:1] * (MAX_BOTS - len(ready))  # the loop's tuple has a fixed length
        self._acts = tuple(act.pointer for act, _ in ready)
        self._knowledge = tuple(knowledge for _, knowledge in ready)

    def vary(self, variants: Sequence[Mapping[str, Any]]) -> None:
        """Deals game i, from now on, with the options of variants[i mod K] over the batch's own.

        Raises:
            OptionError: an option is unknown, has a value that is not allowed, or is `num_players`,
                which is one for all.
        """
        if any("num_players" in variant for variant in variants):
            raise OptionError("the games of a batch have one num_players: it cannot vary")
        self._templates = np.concatenate(
            [self.game.new_states(1, **{**self._options, **v}) for v in variants or [{}]]
        )

    def deal(self, seeds: npt.NDArray[np.uint64], where: npt.NDArray[Any] | None = None) -> None:
        """Starts new games: all, or those with `where` [B] true, each from seeds [B]."""
        size = (len(self),)
        words = _array("seeds", seeds, np.uint64, size)
        chosen = self._chosen(where)
        fresh = chosen.astype(bool)
        for array in (self.returns, self.rewards, self.log, self.steps, self.illegal):
            array[fresh] = 0
        self._over_threads(self._deal, (self._templates, self.states, words, chosen))

    def play(self, actions: npt.NDArray[np.int64] | None = None) -> None:
        """Plays every game on until it is over or waits for an external seat.

        `actions` int64 [B] are the external seats' actions, -1 where none is given. An illegal
        action ends its game: see `illegal`.
        """
        given = self._nobody_acts
        if actions is not None:
            given = _array("actions", actions, np.int64, (len(self),)).copy()
        if self.players.min() < EXTERNAL or self.players.max() >= max(1, len(self.bots)):
            raise ArgumentError(
                f"players must be {EXTERNAL}, or the number of one of {len(self.bots)} bots"
            )
        self._over_threads(
            self._play,
            (
                self._acts, self._knowledge, self._random_bot, self._reward, self._used,
                self.states, self.players, self.streams, given,
                self.records, self.observations, self.masks,
                self._before, self.returns, self.rewards, self.log, self.steps, self.illegal,
            ),
        )  # fmt: skip

    def look(
        self, seats: npt.NDArray[np.int64], where: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[np.float32]:
        """Returns a new array float32 [B, F]: what seats[i] sees in game i, 0 unless where[i]."""
        places = _array("seats", seats, np.int64, (len(self),))
        if places.min() < 0 or places.max() >= self.num_players:
            raise ArgumentError(f"seats must be 0 to {self.num_players - 1}")
        chosen = self._chosen(where)
        records = np.zeros(len(self), self.game.observation.dtype)
        look = compiled_loop(self.game, "look")
        self._over_threads(look, (self.states, places, chosen, records))
        return records.view(np.float32).reshape(self.observations.shape)

    def _chosen(self, where: npt.NDArray[Any] | None) -> npt.NDArray[np.int8]:
        if where is None:
            return np.ones(len(self), np.int8)
        return _array("where", where, np.int8, (len(self),))

    def _over_threads(self, loop: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        bounds = np.linspace(0, len(self), self._tasks + 1).astype(int).tolist()
        if self._tasks == 1:
            loop(*arguments, 0, len(self))
            return
        spans = pairwise(bounds)
        tasks = [thread_pool().submit(loop, *arguments, first, last) for first, last in spans]
        for task in tasks:
            task.result()


def check_streams(streams: npt.NDArray[np.uint64], count: int) -> None:
    """Raises `ArgumentError` if these are no streams that compiled code can move on in place."""
    if streams.dtype != np.uint64 or streams.shape != (count,) or not streams.flags.c_contiguous:
        raise ArgumentError(f"streams must be a contiguous array uint64 [{count}]: it is changed")


def ask(
    game: Game,
    bot: Bot,
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.int8],
    streams: npt.NDArray[np.uint64],
) -> npt.NDArray[np.int64]:
    """Returns what a bot plays, int64 [N], in N positions given as seen by the seat to move.

    `observations` float32 [N, F], `masks` int8 [N, A]; `streams` uint64 [N] move on in place.
    """
    act, knowledge = compiled_bot(game, bot)
    count = len(observations)
    seen = _array("observations", observations, np.float32, (count, game.observation.size))
    given = _array("masks", masks, np.int8, (count, game.actions.size))
    legal = (given != 0).astype(np.int8)  # bots take every other number than 1 for illegal
    check_streams(streams, count)
    records = seen.view(game.observation.dtype).reshape(count)
    actions = np.empty(count, np.int64)
    _compiled_ask(game)(act.pointer, records, legal, streams, knowledge, actions)
    return actions
