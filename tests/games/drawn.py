"""What the positions that tests lay out have in common, whatever the game."""

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dino_envs.engine import Game


class Drawn:
    """A state that a test has laid out, and reads and changes in the game's words."""

    game: ClassVar[Game]
    _states: npt.NDArray[Any]

    @property
    def state(self) -> Any:
        """Returns the live state."""
        return self._states[0]

    def copy(self) -> Self:
        """Returns a position that is the same now."""
        return self.of(self.state)

    def redeal(self, seat: int, seed: int) -> Self:
        """Returns a copy in which all that a seat cannot know is drawn anew."""
        table = self.copy()
        self.game.kernels.redeal(table.state, seat, np.uint64(seed))
        return table

    @classmethod
    def of(cls, state: Any) -> Self:
        """Returns a copy of a state."""
        table = object.__new__(cls)
        table._states = np.frombuffer(bytearray(state.tobytes()), cls.game.state)
        return table

    @classmethod
    def dealt(cls, seed: int = 0, **options: Any) -> Self:
        """Returns a new game."""
        states = cls.game.new_states(1, **options)
        cls.game.kernels.reset(states[0], np.uint64(seed))
        return cls.of(states[0])
