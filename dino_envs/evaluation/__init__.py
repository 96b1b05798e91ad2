"""Measures agents: matches, the ladder of baselines, tournaments, intervals, reports."""

from dino_envs.evaluation.behaviour import Behaviour, watch_games
from dino_envs.evaluation.exact import exact_score, is_exact
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
from dino_envs.evaluation.tournament import Pair, Tournament, play_tournament

__all__ = [
    "AgentAnswerError",
    "Behaviour",
    "Games",
    "Pair",
    "RepeatedGamesWarning",
    "Result",
    "SeatRecord",
    "Tournament",
    "baselines",
    "branches",
    "evaluate",
    "exact_score",
    "game_seeds",
    "is_exact",
    "ladder",
    "play_games",
    "play_tournament",
    "plays_apart",
    "watch_games",
]
