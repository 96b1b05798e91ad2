"""Dino Dice: push your luck with five dice, and keep them from being eaten."""

from dino_envs.engine import Game, Option, Rules, View, highest_score_wins
from dino_envs.games.dino_dice import observation, render, rules
from dino_envs.games.dino_dice.bots import BOTS
from dino_envs.games.dino_dice.exact import EXACT

GAME = Game(
    module=__name__,
    title="Dino Dice",
    summary="push your luck; small enough to be solved exactly",
    version=0,
    min_players=2,
    max_players=rules.MAX_PLAYERS,
    default_players=2,
    options={
        "target": Option(150, "the score that brings the last turns", low=1, high=1000),
        "max_turns": Option(
            200, "turns of all players together, after which the game is cut", low=1, high=100_000
        ),
        "tie": Option(
            "shared",
            "what tied leaders do: share the win, or take one tie-break turn each",
            choices=rules.TIES,
        ),
    },
    state=rules.STATE,
    actions=rules.ACTIONS,
    observation=observation.OBSERVATION,
    rules=Rules(
        reset=rules.reset,
        legal_actions=rules.legal_actions,
        step=rules.step,
        observe=observation.observe,
        outcome=highest_score_wins,
        redeal=rules.redeal,
    ),
    view=View(
        text=render.text,
        svg=render.svg,
        action_name=render.action_name,
        action_number=render.action_number,
        action_text=render.action_text,
    ),
    bots=BOTS,
    exact=EXACT,
)
