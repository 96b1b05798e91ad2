"""The views of games that one player can play alone, for one player and no other number."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from dino_envs.engine import OptionError
from dino_envs.games import load
from dino_envs.views.aec import TurnBasedEnv
from dino_envs.views.single import SingleSeatEnv
from dino_envs.views.vector import BatchedVectorEnv


def alone(make: Callable[..., Any], game_id: str, **options: Any) -> Any:
    """Returns make(game_id, num_players=1, **options).

    Raises:
        OptionError: the options ask for another number of players.
    """
    players = options.pop("num_players", None)
    if players is not None and load(game_id).complete({"num_players": players})["num_players"] != 1:
        raise OptionError(
            f"num_players={players!r}: this is {game_id} for one player; "
            "without Solitaire in the name it takes any number"
        )
    return make(game_id, num_players=1, **options)


aec = partial(alone, TurnBasedEnv)
"""aec(game_id, **options): see `dino_envs.views.aec`."""

single = partial(alone, SingleSeatEnv)
"""single(game_id, **options): see `dino_envs.views.single`."""

vector = partial(alone, BatchedVectorEnv)
"""vector(game_id, **options): see `dino_envs.views.vector`."""
