"""On a Scale of One to T-Rex: find who acts at the level of one's own card."""

from collections.abc import Mapping
from typing import Any

from dino_envs.engine import Game, Option, OptionError, Rules, View
from dino_envs.games.scale_of_trex import deck, hidden, layout, naming, observation, render, rules
from dino_envs.games.scale_of_trex.bots import BOTS


def _check_sigma(options: Mapping[str, Any]) -> None:
    """Raises `OptionError` if there is no sigma between the least and the greatest."""
    low, high = options["sigma_low"], options["sigma_high"]
    if low > high:
        raise OptionError(
            f"sigma_low={low} is more than sigma_high={high}: lower it, or raise that"
        )


GAME = Game(
    module=__name__,
    title="On a Scale of One to T-Rex",
    summary="act out a secret number and find who acts at yours; two play together",
    version=0,
    min_players=2,
    max_players=layout.MAX_PLAYERS,
    default_players=4,
    cooperative=frozenset({deck.TOGETHER}),
    simultaneous=True,
    options={
        "copies": Option(2, "number cards of each colour and value", low=1, high=deck.MAX_COPIES),
        "swap_cards": Option(5, "swap cards of each colour", low=0, high=deck.MAX_SWAPS),
        "any_swaps": Option(4, "swap cards of any colour", low=0, high=deck.MAX_SWAPS),
        "action_cards": Option(
            20, "action cards of each colour", low=1, high=deck.MAX_ACTION_CARDS
        ),
        "bias_range": Option(
            2, "how far, in levels, an idea of the scale may be off", low=0, high=deck.MAX_BIAS
        ),
        "sigma_low": Option(
            5, "noise of the clearest action, in tenths of a level", low=0, high=deck.MAX_SIGMA
        ),
        "sigma_high": Option(
            20, "noise of the least clear action, in tenths of a level", low=0, high=deck.MAX_SIGMA
        ),
        "cards": Option(
            "hidden",
            "whether number cards are hidden, as the game has it, or open, for reference",
            choices=layout.CARDS_SHOWN,
        ),
        "max_ticks": Option(300, "ticks after which the game is cut", low=1, high=10_000),
    },
    check=_check_sigma,
    state=layout.STATE,
    actions=layout.ACTIONS,
    observation=observation.OBSERVATION,
    rules=Rules(
        reset=rules.reset,
        legal_actions=rules.legal_actions,
        step=rules.step,
        observe=observation.observe,
        outcome=rules.outcome,
        redeal=hidden.redeal,
    ),
    view=View(
        text=render.text,
        svg=render.svg,
        action_name=naming.action_name,
        action_number=naming.action_number,
        action_text=render.action_text,
        round_text=render.round_text,
        signs=render.SIGNS,
    ),
    bots=BOTS,
)
