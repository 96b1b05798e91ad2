"""Measures agents: seat-balanced matches, the ladder of baselines, intervals, reports."""

from dino_envs.evaluation.match import (
    AgentAnswerError,
    Games,
    branches,
    game_seeds,
    play_games,
)
from dino_envs.evaluation.score import (
    RepeatedGamesWarning,
    Result,
    SeatRecord,
    baselines,
    evaluate,
    ladder,
    plays_apart,
)

__all__ = [
    "AgentAnswerError",
    "Games",
    "RepeatedGamesWarning",
    "Result",
    "SeatRecord",
    "baselines",
    "branches",
    "evaluate",
    "game_seeds",
    "ladder",
    "play_games",
    "plays_apart",
]
