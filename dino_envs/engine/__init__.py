"""The engine: the contract of a game, its random stream, and loops over many games."""

from dino_envs.engine.batch import Batch, ask
from dino_envs.engine.bot import RANDOM, Bot
from dino_envs.engine.errors import (
    ArgumentError,
    DinoEnvsError,
    DinoEnvsWarning,
    GameOverError,
    IllegalActionError,
    MissingExtraError,
    NoDisplayError,
    NoLegalActionError,
    NotResetError,
    OptionError,
    UnknownActionError,
    UnknownAgentError,
    UnknownGameError,
    UnknownOptionError,
)
from dino_envs.engine.exact import Exact, ExactScore, Policy
from dino_envs.engine.game import Game, Rules, View
from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import (
    FORFEITED,
    RUNNING,
    TERMINATED,
    TRUNCATED,
    ActionTable,
    Field,
    ObservationLayout,
    state_dtype,
)
from dino_envs.engine.loops import EXTERNAL
from dino_envs.engine.option import AnyOption, Counts, Option
from dino_envs.engine.outcome import highest_score_wins

__all__ = [
    "EXTERNAL",
    "FORFEITED",
    "RANDOM",
    "RUNNING",
    "TERMINATED",
    "TRUNCATED",
    "ActionTable",
    "AnyOption",
    "ArgumentError",
    "Batch",
    "Bot",
    "Counts",
    "DinoEnvsError",
    "DinoEnvsWarning",
    "Exact",
    "ExactScore",
    "Field",
    "Game",
    "GameOverError",
    "IllegalActionError",
    "MissingExtraError",
    "NoDisplayError",
    "NoLegalActionError",
    "NotResetError",
    "ObservationLayout",
    "Option",
    "OptionError",
    "Policy",
    "Rules",
    "UnknownActionError",
    "UnknownAgentError",
    "UnknownGameError",
    "UnknownOptionError",
    "View",
    "ask",
    "highest_score_wins",
    "kernel",
    "state_dtype",
]
