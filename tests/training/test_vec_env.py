"""The learner's view of many games: every reward, ending and seat is accounted for."""

import re

import numpy as np
import pytest
import torch
from dino_training.league import League
from dino_training.vec_env import SelfPlayVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from dino_envs.agents.table import LEARNER
from dino_envs.engine import TRUNCATED, Game, IllegalActionError, NoLegalActionError

from .conftest import MIXED, hashed_choice, make_env, play, random_net


def expected_return(scores: np.ndarray, seat: int) -> float:
    """Returns what the rulebook's result pays: the highest score wins, ties share."""
    winners = np.flatnonzero(scores == scores.max())
    if len(winners) == len(scores):
        return 0.0
    if seat in winners:
        return 1.0 / len(winners)
    return -1.0 / (len(scores) - len(winners))


class Watch:
    """Sees what an env's games are like right before they are replaced by new ones."""

    def __init__(self, env: SelfPlayVecEnv, monkeypatch: pytest.MonkeyPatch) -> None:
        self.dealt = 0
        self.ends: list[tuple[int, ...]] = []
        """(env, seat, ending, *scores) of each game in which the learner had a turn."""
        self.views: list[np.ndarray] = []
        """The learner's view of each of these ends."""
        self.played = 0
        """Actions in these games."""
        self._games, self._batch = env.games, env.games.batch
        self._start, self._deal = env.games.start, self._batch.deal
        monkeypatch.setattr(self._games, "start", self.start)
        monkeypatch.setattr(self._batch, "deal", self.deal)

    def start(self, where: np.ndarray | None = None) -> None:
        if where is not None:
            views = self._batch.look(self._games.seats)
            for i in np.flatnonzero(where):
                state = self._batch.states[i]
                scores = map(int, state["score"][: self._batch.num_players])
                self.ends.append((int(i), int(self._games.seats[i]), int(state["ending"]), *scores))
                self.views.append(views[i])
            self.played += int(self._batch.steps[where].sum())
        self._start(where)

    def deal(self, seeds: np.ndarray, where: np.ndarray) -> None:
        self.dealt += int(where.sum())
        self._deal(seeds, where)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("reward", ["outcome", "score"])
def test_rewards_add_up_to_the_engines_results(
    dice: Game, monkeypatch: pytest.MonkeyPatch, players: int, reward: str
) -> None:
    env = make_env(
        dice, 32, MIXED, snapshots=2, reward=reward, options={"num_players": players, "target": 60}
    )
    watch = Watch(env, monkeypatch)
    sums, ended = np.zeros(32), []
    for _, rewards, dones, infos in play(env, 4000):
        sums += rewards
        for i in np.flatnonzero(dones):
            ended.append((i, sums[i], infos[i]["episode"]["r"], infos[i]["seat"]))
            sums[i] = 0.0
        if min(np.bincount([e[3] for e in ended], minlength=players)) >= 200:
            break
    assert min(np.bincount([e[3] for e in ended], minlength=players)) >= 200
    assert len(watch.ends) == len(ended) == env.finished
    for (i, seat, _, *scores), (where, paid, told, told_seat) in zip(
        watch.ends, ended, strict=True
    ):
        points = np.array(scores)
        lead = points[seat] - (points.sum() - points[seat]) / (players - 1)
        wanted = lead if reward == "score" else expected_return(points, seat)
        assert (i, seat) == (where, told_seat)
        assert paid == pytest.approx(wanted, abs=1e-3)
        assert told == pytest.approx(paid, abs=1e-3)


@pytest.mark.parametrize("reward", ["outcome", "score"])
def test_a_game_for_one_pays_its_score_scaled_for_learning_alone(
    solitaire: Game, monkeypatch: pytest.MonkeyPatch, reward: str
) -> None:
    options = {"num_players": 1}
    env = make_env(solitaire, 8, {}, reward=reward, reward_scale=4.0, options=options)
    watch = Watch(env, monkeypatch)
    env.add_snapshot(random_net(solitaire, 0))
    sums, paid, told = np.zeros(8), [], []
    for _, rewards, dones, infos in play(env, 300):
        assert rewards.dtype == np.float32
        sums += rewards
        for i in np.flatnonzero(dones):
            paid.append(sums[i])
            told.append(infos[i]["episode"]["r"])
            assert (infos[i]["opponent"], infos[i]["seat"]) == ("alone", 0)
            sums[i] = 0.0
    assert told == [float(end[-1]) for end in watch.ends]
    np.testing.assert_allclose(paid, np.array(told) / 4, rtol=1e-5)
    assert env.paid == {"alone": (len(told), sum(told))}


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
    watch = Watch(env, monkeypatch)
    episodes, lengths = 0, np.zeros(16, int)
    for _, _, dones, infos in play(env, 300):
        lengths += 1
        for i, info in enumerate(infos):
            assert ("episode" in info) == bool(dones[i])
            if dones[i]:
                episodes += 1
                assert info["episode"]["l"] == lengths[i]
                lengths[i] = 0
    in_progress = int(env.games.batch.steps.sum())
    assert watch.played + in_progress == 300 * 16 + opponent.decisions
    assert episodes == env.finished == watch.dealt - 16
    assert env.games.skipped == 0


def traces(game: Game, num_envs: int) -> list[np.ndarray]:
    env = make_env(game, num_envs, MIXED, snapshots=3, options={"num_players": 3, "target": 60})
    rows = [
        np.concatenate([obs[0], rewards[:1], dones[:1]]) for obs, rewards, dones, _ in play(env, 90)
    ]
    assert sum(row[-1] for row in rows) > 3
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


def dealt_seats(game: Game, deals: int, **settings: object) -> np.ndarray:
    """Returns int [deals, 64], the learner's seats in games dealt one after the other."""
    env = make_env(game, 64, options={"num_players": 3}, **settings)
    seats = []
    for _ in range(deals):
        env.reset()
        seats.append(env.games.seats.copy())
        assert ((env.games.table.seating == LEARNER).argmax(axis=1) == seats[-1]).all()
    assert env.games.skipped == 0
    return np.array(seats)


def unevenness(drawn: np.ndarray, kinds: int) -> float:
    """Returns chi-square of the counts of 0..kinds-1 against equal ones."""
    counts = np.bincount(drawn.ravel(), minlength=kinds)
    return float(((counts - counts.mean()) ** 2 / counts.mean()).sum())


def test_seats_are_drawn_evenly_and_independently(dice: Game) -> None:
    seats = dealt_seats(dice, 90)
    # Bounds that chance exceeds once in 10,000: 2 and 8 degrees of freedom.
    assert unevenness(seats, 3) < 18.4
    assert unevenness(3 * seats[:-1:2] + seats[1::2], 9) < 31.8
    assert unevenness(3 * seats[:, ::2] + seats[:, 1::2], 9) < 31.8


def test_the_seed_fixes_the_seats(dice: Game) -> None:
    first = dealt_seats(dice, 6)
    np.testing.assert_array_equal(first, dealt_seats(dice, 6))
    assert not np.array_equal(first, dealt_seats(dice, 6, seed=8))


def test_masks_belong_to_the_observation_through_wrappers(dice: Game) -> None:
    env = make_env(dice, 8, MIXED, snapshots=1, options={"target": 40})
    wrapped = VecNormalize(VecMonitor(env), norm_obs=True, norm_reward=False)
    assert is_masking_supported(wrapped)
    observations = wrapped.reset()
    for _ in range(200):
        masks = get_action_masks(wrapped)
        batch = env.games.batch
        np.testing.assert_array_equal(masks, batch.masks != 0)
        seen = batch.look(batch.movers.astype(np.int64))
        np.testing.assert_array_equal(seen, batch.observations)
        assert (batch.movers == env.games.seats).all()
        observations, _, dones, infos = wrapped.step(hashed_choice(observations, masks))
        for i in np.flatnonzero(dones):
            assert infos[i]["terminal_observation"].shape == dice.observation.low.shape
            assert infos[i]["episode"]["l"] > 0
    assert wrapped.env_method("action_masks", indices=[2])[0].tolist() == masks_row(env, 2)
    assert wrapped.env_is_wrapped(VecMonitor) == [False] * 8
    with pytest.raises(AttributeError):
        env.get_attr("no_such_attribute")


def masks_row(env: SelfPlayVecEnv, i: int) -> list[bool]:
    return (env.games.batch.masks[i] != 0).tolist()


def test_arrays_handed_out_are_copies(dice: Game) -> None:
    env = make_env(dice, 4)
    first = env.reset()
    kept, masks = first.copy(), env.action_masks()
    env.step(hashed_choice(first, masks))
    np.testing.assert_array_equal(first, kept)
    second = env.action_masks()
    second[:] = False
    assert env.action_masks().any(axis=1).all()


def test_only_the_cap_is_told_as_the_cap(dice: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    env = make_env(dice, 32, options={"target": 40, "max_turns": 4})
    watch = Watch(env, monkeypatch)
    capped, looks = [], []
    for _, _, dones, infos in play(env, 60):
        ended = np.flatnonzero(dones)
        capped += [infos[i]["capped"] for i in ended]
        looks += [infos[i]["terminal_observation"] for i in ended]
        assert not any(infos[i]["TimeLimit.truncated"] for i in ended)
    assert capped == [ending == TRUNCATED for _, _, ending, *_ in watch.ends]
    assert {True, False} == set(capped)
    np.testing.assert_array_equal(looks, watch.views)


def test_no_value_is_added_to_what_the_cap_paid(
    dice: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(dice, 32, options={"target": 40, "max_turns": 4})
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=512, seed=0, device="cpu")
    torch.nn.init.constant_(model.policy.value_net.bias, 7.0)
    paid, capped = [], 0
    step_wait = env.step_wait

    def recorded() -> VecEnvStepReturn:
        nonlocal capped
        observations, rewards, dones, infos = step_wait()
        paid.append(rewards.copy())
        capped += sum(info.get("capped", False) for info in infos)
        return observations, rewards, dones, infos

    monkeypatch.setattr(env, "step_wait", recorded)
    _, callback = model._setup_learn(512)
    model.collect_rollouts(model.env, callback, model.rollout_buffer, 16)
    assert capped > 20
    np.testing.assert_array_equal(model.rollout_buffer.rewards, paid)


def test_games_without_a_turn_of_the_learner_are_counted_not_learnt(
    dice: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(dice, 8, options={"max_turns": 1})
    watch = Watch(env, monkeypatch)
    episodes = 0
    for _, _, dones, infos in play(env, 100):
        for i in np.flatnonzero(dones):
            episodes += 1
            assert infos[i]["seat"] == 0
            assert infos[i]["episode"]["l"] >= 1
    assert episodes == env.finished > 50
    assert env.games.skipped > 50
    assert watch.dealt == env.finished + env.games.skipped + 8


@pytest.mark.parametrize("bad", [None, -1, 37, 10**9])
def test_an_illegal_action_is_refused_and_changes_nothing(dice: Game, bad: int | None) -> None:
    env = make_env(dice, 8)
    actions = hashed_choice(env.reset(), env.action_masks())
    before, mask = env.state_arrays(), env.action_masks()[5]
    actions[5] = mask.argmin() if bad is None else bad
    fault = rf"action {actions[5]} (\(.*\) is illegal|is out of range \(0 to 36\)) in game 5; "
    fault += "legal are " + re.escape(str(np.flatnonzero(mask).tolist()))
    with pytest.raises(IllegalActionError, match=fault):
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
    play_on = env.games.batch.play

    def broken(actions: np.ndarray | None) -> None:
        play_on(actions)
        env.games.batch.masks[3] = 0

    monkeypatch.setattr(env.games.batch, "play", broken)
    with pytest.raises(NoLegalActionError, match=r"dino_dice_v0 gives seat \d of game 3 no legal"):
        env.step(hashed_choice(observations, env.action_masks()))


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
