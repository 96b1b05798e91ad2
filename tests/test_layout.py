"""How states, actions and observations are declared."""

import numpy as np
import pytest

from dino_envs.engine import (
    ActionTable,
    Field,
    ObservationLayout,
    state_dtype,
)


def test_an_action_table_numbers_its_blocks_in_order():
    table = ActionTable(stop=1, reroll=31, eat=5)
    assert table.size == 37
    assert [table.start(block) for block in ("stop", "reroll", "eat")] == [0, 1, 32]
    located = [table.locate(action) for action in range(37)]
    assert located[0] == ("stop", 0)
    assert located[1:32] == [("reroll", i) for i in range(31)]
    assert located[32:] == [("eat", i) for i in range(5)]
    for outside in (-1, 37):
        with pytest.raises(IndexError, match="37 actions"):
            table.locate(outside)


def test_an_observation_is_its_fields_in_a_row():
    layout = ObservationLayout(
        Field("board", (2, 3), 0, 1, "a board"), Field("lead", (1,), -4, 4, "a lead")
    )
    assert layout.size == 7
    assert layout.low.tolist() == [0.0] * 6 + [-4.0]
    assert layout.high.tolist() == [1.0] * 6 + [4.0]
    records = np.zeros(2, layout.dtype)
    records["board"][1] = [[1, 2, 3], [4, 5, 6]]
    records["lead"][1] = 7
    vectors = records.view(np.float32).reshape(2, 7)
    assert vectors[1].tolist() == [1, 2, 3, 4, 5, 6, 7]
    decoded = layout.decode(vectors)
    assert decoded["board"].shape == (2, 2, 3)
    assert decoded["lead"].shape == (2, 1)
    assert (decoded["board"] == records["board"]).all()
    assert (layout.decode(vectors[1])["lead"] == [7]).all()


def test_a_state_has_the_fields_of_every_game_and_no_hole_between_them():
    dtype = state_dtype(3, [("herd", np.int8, (4,)), ("seen", np.int64), ("turns", np.int16)])
    shared = {"stream", "score", "num_players", "current_player", "ending", "cooperative"}
    assert shared | {"herd", "seen", "turns"} <= set(dtype.names)
    assert dtype["score"].shape == (3,)
    assert dtype["stream"].base == np.uint64
    assert dtype["herd"].shape == (4,)
    assert dtype.isalignedstruct
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize
    assert isinstance(np.zeros(1, dtype)[0], np.record)
