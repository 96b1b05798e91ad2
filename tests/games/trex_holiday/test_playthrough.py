"""The golden playthrough: a short random game that people have read."""

from dino_envs.games.trex_holiday import GAME


def actions(golden: str) -> list[str]:
    lines = [line for line in golden.splitlines() if line.startswith("  plays: ")]
    return [line.removeprefix("  plays: ").rpartition(" ")[0] for line in lines]


def test_it_shows_all_kinds_of_decisions_and_the_end(golden):
    played = actions(golden)
    blocks = {GAME.actions.locate(GAME.view.action_number(name))[0] for name in played}
    assert blocks == set(GAME.actions.blocks)
    assert len(played) < 60, "short enough to be read"
    assert "\n[end] over" in golden


def test_a_box_is_crossed_out_a_row_closed_and_a_player_passed_over_in_it(golden):
    seen = golden.split()
    assert any(word.startswith("crossed[") for word in seen)
    assert any(word.startswith("cars_state[") and word.endswith(",1]") for word in seen)
    last = golden.split("\n\n[")[-2]
    assert "player 1" in last
    assert "hide" not in last
