"""Dino Days: fill the week with dinosaurs, and keep the others from filling theirs."""

from collections.abc import Mapping
from typing import Any

from dino_envs.engine import Game, Option, OptionError, Rules, View, highest_score_wins
from dino_envs.engine.option import Counts
from dino_envs.games.dino_days import (
    cards,
    hidden,
    layout,
    legal,
    naming,
    observation,
    render,
    rules,
)
from dino_envs.games.dino_days.bots import BOTS


def _check_deck(options: Mapping[str, Any]) -> None:
    """Raises `OptionError` if the cards cannot be dealt, or are too many for the state."""
    players, deck = options["num_players"], options["deck"]
    decks, cards_in_all = (players + 1) // 2, sum(deck.values())
    if cards_in_all > layout.MAX_DECK:
        raise OptionError(
            f"deck: {cards_in_all} cards are too many, a deck holds at most {layout.MAX_DECK}; "
            "lower some of the counts"
        )
    giganotosaurs = deck["giganotosaurus"]
    if decks * giganotosaurs < players:
        raise OptionError(
            f"deck: giganotosaurus={giganotosaurs} is too few, each of {players} players is dealt "
            f"one; give {-(-players // decks)} or more"
        )
    others, dealt = cards_in_all - giganotosaurs, layout.START_CARDS
    if decks * others < dealt * players:
        raise OptionError(
            f"deck: {others} cards beside the giganotosaurs are too few, each of {players} players "
            f"is dealt {dealt}; give {-(-dealt * players // decks)} or more"
        )


GAME = Game(
    module=__name__,
    title="Dino Days",
    summary="fill the week and wreck the others' weeks; hidden hands and deck",
    version=0,
    min_players=2,
    max_players=layout.MAX_PLAYERS,
    default_players=2,
    options={
        "deck": Counts(
            cards.DECK,
            "how many cards of each kind one deck holds; there are two decks for 3 and 4 players",
            high=layout.MAX_DECK,
        ),
        "max_turns": Option(
            100, "turns of each player, after which the game is cut", low=1, high=10_000
        ),
    },
    check=_check_deck,
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
    ),
    bots=BOTS,
)
