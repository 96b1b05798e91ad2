"""The learner's view of many games: every reward, ending and seat is accounted for."""

import numpy as np
import pytest
from dino_training.league import League, LeagueError
from dino_training.vec_env import SelfPlayVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from dino_envs.engine import (
    EXTERNAL,
    TRUNCATED,
    Game,
    IllegalActionError,
    NoLegalActionError,
    UnknownAgentError,
)

from .conftest import hashed_choice, make_env, play, random_net

MIXED = {"greedy": 1.0, "random": 1.0, "snapshot": 2.0}


def expected_return(scores: np.ndarray, seat: int) -> float:
    """Returns what the rulebook's result pays: the highest score wins, ties share."""
    winners = np.flatnonzero(scores == scores.max())
    if len(winners) == len(scores):
        return 0.0
    if seat in winners:
        return 1.0 / len(winners)
    return -1.0 / (len(scores) - len(winners))


def finals(env: SelfPlayVecEnv, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Returns a list that gets (env, seat, ending, *scores) of each game when it is over."""
    found: list[tuple[int, ...]] = []
    begin = env._begin

    def recorded(chosen: np.ndarray) -> None:
        if env.dealt.any():
            for i in np.flatnonzero(chosen):
                state = env.batch.states[i]
                scores = state["score"][: env.batch.num_players]
                found.append((int(i), int(env.seats[i]), int(state["ending"]), *map(int, scores)))
        begin(chosen)

    monkeypatch.setattr(env, "_begin", recorded)
    return found


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("reward", ["outcome", "score"])
def test_rewards_add_up_to_the_engines_results(
    dice: Game, monkeypatch: pytest.MonkeyPatch, players: int, reward: str
) -> None:
    env = make_env(
        dice, 32, MIXED, snapshots=2, reward=reward, options={"num_players": players, "target": 60}
    )
    over = finals(env, monkeypatch)
    sums, ended = np.zeros(32), []
    for _, rewards, dones, infos in play(env, 4000):
        sums += rewards
        for i in np.flatnonzero(dones):
            ended.append((i, sums[i], infos[i]["episode"]["r"], infos[i]["seat"]))
            sums[i] = 0.0
        if min(np.bincount([e[3] for e in ended], minlength=players)) >= 200:
            break
    assert min(np.bincount([e[3] for e in ended], minlength=players)) >= 200
    assert len(over) == len(ended) == env.finished
    for (i, seat, _, *scores), (where, paid, told, told_seat) in zip(over, ended, strict=True):
        points = np.array(scores)
        lead = points[seat] - (points.sum() - points[seat]) / (players - 1)
        wanted = lead if reward == "score" else expected_return(points, seat)
        assert (i, seat) == (where, told_seat)
        assert paid == pytest.approx(wanted, abs=1e-3)
        assert told == pytest.approx(paid, abs=1e-3)


class CountingAgent:
    """Plays the first legal action and counts its decisions."""

    def __init__(self) -> None:
        self.decisions = 0

    def act(self, observations: np.ndarray, masks: np.ndarray, streams: np.ndarray) -> np.ndarray:
        assert masks.any(axis=1).all()
        self.decisions += len(masks)
        return masks.argmax(axis=1)


def test_every_action_is_played_and_every_ending_is_one_step(
    dice: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    opponent = CountingAgent()
    league = League(dice, {"random": 1.0})
    league.agents[0] = opponent
    env = SelfPlayVecEnv(dice, 16, league, seed=3, options={"target": 50, "num_players": 3})
    played = [0]
    begin = env._begin

    def counted(chosen: np.ndarray) -> None:
        played[0] += int(env.batch.steps[chosen].sum())
        begin(chosen)

    monkeypatch.setattr(env, "_begin", counted)
    episodes, lengths = 0, np.zeros(16, int)
    for _, _, dones, infos in play(env, 300):
        lengths += 1
        for i, info in enumerate(infos):
            assert ("episode" in info) == bool(dones[i])
            if dones[i]:
                episodes += 1
                assert info["episode"]["l"] == lengths[i]
                lengths[i] = 0
    in_progress = int(env.batch.steps.sum())
    assert played[0] + in_progress == 300 * 16 + opponent.decisions
    assert episodes == env.finished == env.dealt.sum() - 16
    assert env.unplayed == 0


def traces(game: Game, num_envs: int) -> list[np.ndarray]:
    env = make_env(game, num_envs, MIXED, snapshots=3, options={"num_players": 3, "target": 60})
    rows = [
        np.concatenate([obs[0], rewards[:1], dones[:1]]) for obs, rewards, dones, _ in play(env, 90)
    ]
    assert env.dealt[0] > 4
    return rows


def test_an_envs_games_do_not_depend_on_the_number_of_envs(dice: Game) -> None:
    alone = traces(dice, 1)
    for num_envs in (4, 64):
        np.testing.assert_array_equal(alone, traces(dice, num_envs))


def test_threads_change_nothing(dice: Game) -> None:
    one = [obs for obs, *_ in play(make_env(dice, 256, threads=1), 20)]
    two = [obs for obs, *_ in play(make_env(dice, 256, threads=2), 20)]
    np.testing.assert_array_equal(one, two)


def test_seeds_fix_the_games_and_envs_start_differently(dice: Game) -> None:
    env = make_env(dice, 64)
    first = env.reset()
    assert len(np.unique(first, axis=0)) > 30
    assert not np.array_equal(first, env.reset())
    env.seed(7)
    np.testing.assert_array_equal(first, env.reset())
    env.seed(8)
    assert not np.array_equal(first, env.reset())


def test_every_seat_is_played_equally_often(dice: Game) -> None:
    env = make_env(dice, 8, options={"num_players": 3, "target": 30})
    seats: list[list[int]] = [[] for _ in range(8)]
    for _, _, dones, infos in play(env, 200):
        for i in np.flatnonzero(dones):
            seats[i].append(infos[i]["seat"])
    for i, sequence in enumerate(seats):
        assert sequence == [(i + n) % 3 for n in range(len(sequence))]
        assert len(sequence) > 3


def test_masks_belong_to_the_observation_through_wrappers(dice: Game) -> None:
    env = make_env(dice, 8, MIXED, snapshots=1, options={"target": 40})
    wrapped = VecNormalize(VecMonitor(env), norm_obs=True, norm_reward=False)
    assert is_masking_supported(wrapped)
    observations = wrapped.reset()
    for _ in range(200):
        masks = get_action_masks(wrapped)
        np.testing.assert_array_equal(masks, env.batch.masks != 0)
        seen = env.batch.look(env.batch.movers.astype(np.int64))
        np.testing.assert_array_equal(seen, env.batch.observations)
        assert (env.batch.movers == env.seats).all()
        observations, _, dones, infos = wrapped.step(hashed_choice(observations, masks))
        for i in np.flatnonzero(dones):
            assert infos[i]["terminal_observation"].shape == dice.observation.low.shape
            assert infos[i]["episode"]["l"] > 0
    assert wrapped.env_method("action_masks", indices=[2])[0].tolist() == masks_row(env, 2)
    assert wrapped.env_is_wrapped(VecMonitor) == [False] * 8
    with pytest.raises(AttributeError):
        env.get_attr("no_such_attribute")


def masks_row(env: SelfPlayVecEnv, i: int) -> list[bool]:
    return (env.batch.masks[i] != 0).tolist()


def test_arrays_handed_out_are_copies(dice: Game) -> None:
    env = make_env(dice, 4)
    first = env.reset()
    kept, masks = first.copy(), env.action_masks()
    env.step(hashed_choice(first, masks))
    np.testing.assert_array_equal(first, kept)
    second = env.action_masks()
    second[:] = False
    assert env.action_masks().any(axis=1).all()


def test_only_the_cap_is_a_truncation(dice: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    env = make_env(dice, 32, options={"target": 40, "max_turns": 4})
    over, views = [], []
    begin = env._begin

    def recorded(chosen: np.ndarray) -> None:
        over.extend(env.batch.states["ending"][chosen] if env.dealt.any() else [])
        views.extend(env.batch.look(env.seats)[chosen] if env.dealt.any() else [])
        begin(chosen)

    monkeypatch.setattr(env, "_begin", recorded)
    cut, looks = [], []
    for _, _, dones, infos in play(env, 60):
        ended = np.flatnonzero(dones)
        cut += [infos[i]["TimeLimit.truncated"] for i in ended]
        looks += [infos[i]["terminal_observation"] for i in ended]
    assert cut == [ending == TRUNCATED for ending in over]
    assert {True, False} == set(cut)
    np.testing.assert_array_equal(looks, views)


def test_games_without_a_turn_of_the_learner_are_counted_not_learnt(dice: Game) -> None:
    env = make_env(dice, 8, options={"max_turns": 1})
    episodes = 0
    for _, _, dones, infos in play(env, 100):
        for i in np.flatnonzero(dones):
            episodes += 1
            assert infos[i]["seat"] == 0
            assert infos[i]["episode"]["l"] >= 1
    assert episodes == env.finished > 50
    assert env.unplayed > 50
    assert env.dealt.sum() == env.finished + env.unplayed + 8


@pytest.mark.parametrize("bad", [-1, 37, 10**9])
def test_an_illegal_action_is_refused_and_changes_nothing(dice: Game, bad: int) -> None:
    env = make_env(dice, 8)
    actions = hashed_choice(env.reset(), env.action_masks())
    before = env.state_arrays()
    actions[5] = bad
    with pytest.raises(IllegalActionError, match=rf"action {bad} is illegal in env 5; legal are"):
        env.step(actions)
    for name, value in env.state_arrays().items():
        np.testing.assert_array_equal(value, before[name])


@pytest.mark.parametrize(
    "bad", [np.zeros(8), np.zeros(7, int), np.zeros((8, 1), int), [None] * 8, np.zeros(8, bool)]
)
def test_actions_of_a_wrong_kind_are_refused(dice: Game, bad: np.ndarray) -> None:
    env = make_env(dice, 8)
    env.reset()
    with pytest.raises(IllegalActionError, match="give 8 whole numbers"):
        env.step(bad)


def test_a_learner_without_a_legal_action_is_an_error(
    dice: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(dice, 8)
    observations = env.reset()
    advance = env._advance

    def broken(actions: np.ndarray | None) -> None:
        advance(actions)
        env.batch.masks[3] = 0

    monkeypatch.setattr(env, "_advance", broken)
    with pytest.raises(NoLegalActionError, match=r"dino_dice_v0 left seat \d in env 3"):
        env.step(hashed_choice(observations, env.action_masks()))


def test_an_opponents_illegal_action_is_an_error(dice: Game) -> None:
    class Cheat:
        def act(self, observations: np.ndarray, masks: np.ndarray, streams: np.ndarray) -> object:
            return masks.argmin(axis=1)

    league = League(dice, {"random": 1.0})
    league.agents[0] = Cheat()
    env = SelfPlayVecEnv(dice, 4, league, seed=0)
    with pytest.raises(IllegalActionError, match="'random' played an illegal action in env"):
        list(play(env, 50))


def test_opponents_are_drawn_by_their_shares(dice: Game) -> None:
    env = make_env(dice, 64, {"greedy": 1, "expected": 0, "snapshot": 3}, snapshots=20)
    tickets = []
    for _ in range(60):
        env.reset()
        tickets += env.opponents.tolist()
        bots = env.batch.players[env._rows, 1 - env.seats]
        assert ((bots == EXTERNAL) == (env.opponents >= 2)).all()
    names = [env.league.name(ticket) for ticket in tickets]
    assert names.count("expected") == 0
    assert names.count("greedy") / len(names) == pytest.approx(0.25, abs=0.03)
    pool = {ticket for ticket in tickets if env.league.name(ticket) == "snapshot"}
    assert len(pool) == env.league.pool_size
    assert [*env.league.snapshots()] == list(range(4, 20))


def test_leagues_that_cannot_play_are_refused(dice: Game) -> None:
    for shares in ({}, {"greedy": 0.0}, {"greedy": -1.0, "random": 3.0}):
        with pytest.raises(LeagueError, match="shares must be"):
            League(dice, shares)
    with pytest.raises(UnknownAgentError, match="did you mean 'greedy'"):
        League(dice, {"gredy": 1.0})
    with pytest.raises(UnknownAgentError, match="num_players"):
        League(dice, {"optimal": 1.0}, options={"num_players": 3})
    with pytest.raises(LeagueError, match="add_snapshot"):
        make_env(dice, 4, {"snapshot": 1.0}).reset()


def test_games_go_on_from_saved_arrays(dice: Game) -> None:
    first, second = (make_env(dice, 16, MIXED, snapshots=2) for _ in range(2))
    *_, (observations, *_) = play(first, 30)
    second.load_arrays(first.state_arrays())
    for _ in range(30):
        actions = hashed_choice(observations, first.action_masks())
        observations, rewards, dones, _ = first.step(actions)
        again, rewards_again, dones_again, _ = second.step(actions)
        np.testing.assert_array_equal(observations, again)
        np.testing.assert_array_equal(rewards, rewards_again)
        np.testing.assert_array_equal(dones, dones_again)


def test_stored_log_probabilities_are_those_of_a_new_look(dice: Game) -> None:
    env = make_env(dice, 32, MIXED, snapshots=1)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=16, batch_size=512, n_epochs=1, seed=0, device="cpu"
    )
    _, callback = model._setup_learn(512)
    model.collect_rollouts(env, callback, model.rollout_buffer, 16)
    for data in model.rollout_buffer.get(512):
        actions = data.actions.long().flatten()
        values, log_prob, _ = model.policy.evaluate_actions(
            data.observations, actions, action_masks=data.action_masks
        )
        chosen = data.action_masks.gather(1, actions[:, None])
        assert chosen.min() == 1
        np.testing.assert_allclose(log_prob.detach(), data.old_log_prob, atol=1e-5)
        np.testing.assert_allclose(values.detach().flatten(), data.old_values, atol=1e-5)


def test_a_networks_choice_does_not_depend_on_its_neighbours(dice: Game) -> None:
    from dino_training.policy import NetAgent

    env = make_env(dice, 256)
    observations, masks = env.reset(), env.action_masks().astype(np.int8)
    streams = np.arange(256, dtype=np.uint64)
    for sample in (False, True):
        agent = NetAgent(random_net(dice, 5), sample=sample)
        together = agent.act(observations, masks, streams.copy())
        alone = [
            agent.act(observations[i : i + 1], masks[i : i + 1], streams[i : i + 1].copy())[0]
            for i in range(256)
        ]
        np.testing.assert_array_equal(together, alone)
        assert masks[np.arange(256), together].all()


def test_sampling_follows_the_softmax(dice: Game) -> None:
    from dino_training.policy import NetAgent

    env = make_env(dice, 1)
    net = random_net(dice, 1)
    net._layers[-1].weight *= 0.2
    observations, masks = env.reset(), env.action_masks().astype(np.int8)
    count = 20_000
    streams = np.random.default_rng(0).integers(2**64, size=count, dtype=np.uint64)
    drawn = NetAgent(net, sample=True).act(
        np.repeat(observations, count, 0), np.repeat(masks, count, 0), streams
    )
    weights = np.where(masks[0] != 0, np.exp(net.logits(observations)[0]), 0.0)
    wanted = weights / weights.sum()
    found = np.bincount(drawn, minlength=len(wanted)) / count
    np.testing.assert_allclose(found, wanted, atol=4 * 0.5 / np.sqrt(count))
