"""The package's own errors. Each message says what is wrong and what to do."""

from __future__ import annotations


class DinoEnvsError(Exception):
    """Anything this package refuses; catch it to catch all of them."""


class DinoEnvsWarning(UserWarning):
    """Anything this package warns of."""


class IllegalActionError(DinoEnvsError, ValueError):
    """The action is not one the rules allow now; the game is as it was."""


class GameOverError(DinoEnvsError, RuntimeError):
    """The game has ended; nothing can be played until `reset`."""


class NotResetError(DinoEnvsError, RuntimeError):
    """The environment was used before its first `reset`."""


class OptionError(DinoEnvsError, ValueError):
    """A game option is unknown or out of range."""


class ArgumentError(DinoEnvsError, ValueError):
    """An array has another shape or type than the call takes; nothing has changed."""


class UnknownOptionError(OptionError, TypeError):
    """A game has no option of that name: an unexpected keyword argument, as Python calls it."""


class UnknownGameError(DinoEnvsError, KeyError):
    """No game of that name is installed."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownAgentError(DinoEnvsError, ValueError):
    """No agent answers to that spec."""


class NoLegalActionError(DinoEnvsError, RuntimeError):
    """A live seat was left without a legal action: a fault in the game's rules."""


class UnknownActionError(DinoEnvsError, ValueError):
    """The game has no action of that name."""


class MissingExtraError(DinoEnvsError, ImportError):
    """An optional part of the package is not installed; the message holds the command for it."""


class NoDisplayError(DinoEnvsError, RuntimeError):
    """A window was asked for where there is no screen."""
