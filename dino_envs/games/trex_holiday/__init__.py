"""T-Rex's Holiday: fill a sheet with dice, while a tomcat scatters the rest."""

from collections.abc import Mapping
from typing import Any

from dino_envs.engine import Game, Option, OptionError, Rules, View, highest_score_wins
from dino_envs.games.trex_holiday import hidden, layout, legal, naming, observation, render, rules
from dino_envs.games.trex_holiday.bots import BOTS
from dino_envs.games.trex_holiday.sheet import FACES, ROOMS, SheetOption


def _check_grey(options: Mapping[str, Any]) -> None:
    """Raises `OptionError` if the advanced rules could never find new grey numbers."""
    printed = options["sheet"]["grey"]
    for number in range(1, FACES + 1):
        if options["grey"] != "printed" and all(number in printed[room] for room in ROOMS):
            raise OptionError(
                f"sheet: every room has {number} printed in grey, so none could change to it; "
                f'leave it out of one room, or play with grey="printed"'
            )


GAME = Game(
    module=__name__,
    title="T-Rex's Holiday",
    summary="roll and write on one's own sheet; the roller keeps a die secret",
    version=0,
    min_players=1,
    max_players=layout.MAX_PLAYERS,
    default_players=2,
    options={
        "sheet": SheetOption(),
        "grey": Option(
            "printed",
            "grey numbers: as printed; or drawn anew, the same for all or for each player",
            choices=layout.GREY_KINDS,
        ),
        "carp_equal": Option(
            "forbidden",
            "whether equal numbers may follow one another in the carp streamer",
            choices=layout.CARP_EQUAL,
        ),
        "max_rounds": Option(60, "rounds after which the game is cut", low=1, high=1000),
    },
    check=_check_grey,
    state=layout.STATE,
    actions=layout.ACTIONS,
    observation=observation.OBSERVATION,
    rules=Rules(
        reset=rules.reset,
        legal_actions=legal.legal_actions,
        step=rules.step,
        observe=observation.observe,
        outcome=highest_score_wins,
        redeal=hidden.redeal,
    ),
    view=View(
        text=render.text,
        svg=render.svg,
        action_name=naming.action_name,
        action_number=naming.action_number,
        action_text=render.action_text,
        signs=render.SIGNS,
    ),
    bots=BOTS,
)
