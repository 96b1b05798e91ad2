"""The contract every game fulfils: a declaration of data and plain functions on one record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from dino_envs.engine.bot import RANDOM, Bot
from dino_envs.engine.errors import OptionError, UnknownOptionError
from dino_envs.engine.exact import Exact
from dino_envs.engine.kernel import Compiled
from dino_envs.engine.layout import ActionTable, ObservationLayout
from dino_envs.engine.option import AnyOption, Option, nearest

Record = Any
"""One state: `np.record` of the game's `state` dtype, a view of the memory it came from."""


@dataclass(frozen=True)
class Rules:
    """The kernels of a game. They write into arrays that are handed in zeroed.

    ====================================  =====================================================
    reset(state, seed)                    deals a new game; options and player count are set
    legal_actions(state, mask)            writes int8 [A]; returns how many are legal (>= 1)
    step(state, action)                   plays one legal decision of the current player and
                                          all chance up to the next decision
    observe(state, seat, observation)     writes what `seat` may know into a record; pure
    outcome(state, returns)               writes float32 [P] once the game is over: within -1 and 1,
                                          the final score where P is 1; zero-sum, or one return
                                          for all where the game is cooperative
    redeal(state, seat, seed)             draws anew all that `seat` cannot know, and the stream
    ====================================  =====================================================
    """

    reset: Any
    legal_actions: Any
    step: Any
    observe: Any
    outcome: Any
    redeal: Any


class Kernels:
    """The compiled rules of a game: `kernels.step(state, action)`, see `Rules`.

    Arguments must have exactly the compiled types: a record of the state's dtype, ints,
    `np.uint64` seeds, contiguous arrays.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Compiles a rule at its first use."""
        if name not in Rules.__dataclass_fields__:
            raise AttributeError(f"a game's rules have no {name!r}")
        game = self._game
        call = Compiled(getattr(game.rules, name), game.signatures[name], game.id).call
        setattr(self, name, call)
        return call


@dataclass(frozen=True, kw_only=True)
class View:
    """How people see a game; `seat` is the one who looks, None sees what all players see."""

    text: Callable[[Record, int | None], str]
    svg: Callable[[Record, int | None], str]
    action_name: Callable[[int], str]
    """The name of an action, readable without the position: `reroll 1,3`."""
    action_number: Callable[[str], int]
    """The action of a name, the inverse of `action_name`; raises `UnknownActionError`."""
    action_text: Callable[[Record, int, int | None], str]
    """What a legal action means in this position: `re-roll Ankylosaurus, T. rex`.

    It tells the looker nothing but what the looker sees after the action as well: of another's
    action it may say less, in the same words as of any other action that looks the same.
    """
    round_text: Callable[[Record], str] | None = None
    """What all have seen of the round that is just over, in games whose seats act at once."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """What the signs of the text mean, for who asks."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """The declaration of one game; the folder it stands in is its id."""

    module: str
    title: str
    summary: str
    version: int
    min_players: int
    max_players: int
    default_players: int
    options: Mapping[str, AnyOption]
    """Variants of the rules, each written into the state's field of the same name."""
    state: np.dtype[Any]
    actions: ActionTable
    observation: ObservationLayout
    rules: Rules
    view: View
    bots: Mapping[str, Bot]
    """Scripted baselines from the weakest to the strongest; `random` is added to every game."""
    exact: Exact | None = None
    """Where the game is solved, how an agent's score against perfect play is computed."""
    check: Callable[[Mapping[str, Any]], None] | None = None
    """Raises `OptionError` if the options, each allowed by itself, do not go together."""
    cooperative: frozenset[int] = frozenset()
    """The player counts (2 or more) that win or lose together: +1 for each or -1 for each."""
    simultaneous: bool = False
    """Whether each round asks every seat for one action, seat 0 first, all of them blind.

    What a seat sees and may do at its turn is what it saw and might do when the round began, and
    `legal_actions` tells it at that moment of any seat that is written into `current_player`.
    """

    def __post_init__(self) -> None:
        """Tells the bots whose they are; those of a changed copy stay the first game's."""
        for name, bot in self.bots.items():
            if bot.home is None:
                object.__setattr__(bot, "home", (self.id, name))

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Returns the game itself: a declaration is never copied."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the id alone."""
        return _load, (self.id,)

    @property
    def id(self) -> str:
        """Returns the name of the game's folder, as in `dino_envs.make(id)`."""
        return self.module.rpartition(".")[2]

    @property
    def full_id(self) -> str:
        """Returns the id with the version, as PettingZoo writes it: `dino_dice_v0`."""
        return f"{self.id}_v{self.version}"

    @cached_property
    def signatures(self) -> dict[str, Any]:
        """Returns the Numba signature of each rule, and of a bot's `act`."""
        state, seen = from_dtype(self.state), from_dtype(self.observation.dtype)
        whole, word, nothing = types.int64, types.uint64, types.void
        return {
            "reset": nothing(state, word),
            "legal_actions": whole(state, types.int8[::1]),
            "step": nothing(state, whole),
            "observe": nothing(state, whole, seen),
            "outcome": nothing(state, types.float32[::1]),
            "redeal": nothing(state, whole, word),
            "act": whole(seen, types.int8[::1], types.uint64[::1], types.uint8[::1]),
        }

    @cached_property
    def kernels(self) -> Kernels:
        """Returns the compiled rules by name, each compiled or loaded at its first use."""
        return Kernels(self)

    def complete(self, options: Mapping[str, Any], keywords: Sequence[str] = ()) -> dict[str, Any]:
        """Returns all options of a game (`num_players` first), the defaults where none is given.

        Args:
            options: those given.
            keywords: what the caller takes beside them, which an unknown one may have meant.

        Raises:
            UnknownOptionError: there is no such option; the message names the nearest.
            OptionError: a value is not allowed, or the values do not go together.
        """
        known = self.all_options
        for name in options:
            if name not in known:
                raise UnknownOptionError(
                    f"{self.id} got an unexpected keyword argument {name!r}; "
                    + nearest(name, [*known, *keywords])
                )
        values = {}
        for name, option in known.items():
            value = options.get(name)
            values[name] = option.complete(name, option.default if value is None else value)
        if self.check is not None:
            self.check(values)
        return values

    def new_states(self, batch: int = 1, **options: Any) -> npt.NDArray[Any]:
        """Returns B states [batch] that hold the options, ready for `reset`; see `complete`."""
        states = np.zeros(batch, self.state)
        values = self.complete(options)
        states["cooperative"] = values["num_players"] in self.cooperative
        for name, value in values.items():
            states[name] = self.all_options[name].encode(name, value)
        return states

    def is_cooperative(self, options: Mapping[str, Any]) -> bool:
        """Returns whether the players win or lose together with these options."""
        return self.complete(options)["num_players"] in self.cooperative

    def bot(self, name: str) -> Bot | None:
        """Returns a scripted bot by its name, `random` among them."""
        return RANDOM if name == "random" else self.bots.get(name)

    @cached_property
    def all_options(self) -> Mapping[str, AnyOption]:
        """Returns the options, first of them `num_players`, which every game has."""
        few, many = self.min_players, self.max_players
        players = Option(self.default_players, "players", low=few, high=many)
        return {"num_players": players, **self.options}


def _load(game_id: str) -> Game:
    from dino_envs.games import load  # above the engine: needed when a pickle is read alone

    return load(game_id)


ILLEGAL = ("lose", "raise", "resample")
"""What an illegal action can do: lose the game, raise, or become a random legal one."""


def checked_illegal(illegal: str) -> str:
    """Returns what illegal actions do; raises `OptionError` if there is no such mode."""
    if illegal not in ILLEGAL:
        raise OptionError(f"illegal={illegal!r}: choose one of {', '.join(ILLEGAL)}")
    return illegal
