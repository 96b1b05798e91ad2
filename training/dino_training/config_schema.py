"""What can be told to a training run: every key, its type, its bounds and its default."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from dino_training.config_text import plain


def _whole(value: Any) -> Any:
    """Takes 2e6 for the whole number it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_MOST = 10**15
"""Where there is no other bound: nobody can wait for more, and whoever is told it can hold it."""

_LARGE = 1e30
"""Networks and rewards are float32, which holds a little more."""

Whole = Annotated[int, BeforeValidator(_whole)]
Count = Annotated[Whole, Field(ge=1, le=_MOST)]
CountOrNone = Annotated[Whole, Field(ge=0, le=_MOST)]
Played = Annotated[Whole, Field(ge=1, le=10_000_000)]
"""Games of an evaluation."""
Held = Annotated[Whole, Field(ge=1, le=1_000_000)]
"""What is held in memory at a time."""
Width = Annotated[Whole, Field(ge=1, le=65_536)]
Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0, le=_LARGE)]
NotNegative = Annotated[float, Field(ge=0, le=_LARGE)]


Options = dict[str, Annotated[Any, BeforeValidator(plain)]]
"""Options by name, of any plain kind: what is allowed the game knows."""


class Section(BaseModel):
    """A group of settings. Every one has a default; no others are known."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        use_attribute_docstrings=True,
        allow_inf_nan=False,
    )


class Ppo(Section):
    """How MaskablePPO and plain PPO learn; DQN reads nothing here."""

    n_steps: Held = 16
    """Decisions a game between two updates."""
    batch_size: Count = 4096
    """Decisions a gradient step."""
    n_epochs: Count = 4
    """How often an update goes through all decisions."""
    learning_rate: Positive = 1e-3
    """Step size of Adam at the start."""
    final_learning_rate: NotNegative = 1e-5
    """What it falls to, linearly, at the end."""
    clip_range: Positive = 0.2
    """How far an action's probability may move."""
    ent_coef: NotNegative = 0.01
    """Weight of the entropy bonus at the start."""
    final_ent_coef: NotNegative = 0.0
    """What it falls to, linearly, at the end."""
    vf_coef: NotNegative = 0.5
    """Weight of the value loss."""
    max_grad_norm: Positive = 0.5
    """Longest gradient."""
    gamma: Share = 1.0
    """Discount; 1: a later win is worth as much."""
    gae_lambda: Share = 0.95
    """Bias (0) against variance (1) of advantages."""
    illegal_penalty: NotNegative = 0.1
    """Plain PPO only: what choosing an illegal action costs; a random legal one is played."""


class Dqn(Section):
    """How DQN learns; the PPOs read nothing here."""

    buffer_size: Annotated[Whole, Field(ge=1, le=100_000_000)] = 100_000
    """Decisions in the replay buffer, which every checkpoint holds."""
    learning_starts: CountOrNone = 10_000
    """Decisions, all random, before the first update."""
    train_freq: Held = 4
    """Decisions a game between two updates."""
    gradient_steps: Count = 32
    """Gradient steps an update."""
    batch_size: Held = 512
    """Decisions a gradient step."""
    learning_rate: Positive = 3e-4
    """Step size of Adam at the start."""
    final_learning_rate: NotNegative = 1e-5
    """What it falls to, linearly, at the end."""
    target_update_interval: Count = 100_000
    """Decisions between two updates of the target network."""
    tau: Annotated[float, Field(gt=0, le=1)] = 1.0
    """How much of the network an update of the target takes over; 1: all."""
    exploration_initial_eps: Share = 1.0
    """Share of random legal actions at the start."""
    exploration_final_eps: Share = 0.02
    """What it falls to, linearly."""
    exploration_fraction: Annotated[float, Field(gt=0, le=1)] = 0.1
    """Share of the run after which it has fallen."""
    max_grad_norm: Positive = 10.0
    """Longest gradient."""
    gamma: Share = 1.0
    """Discount; 1: a later win is worth as much."""


class Network(Section):
    """The shape of each network: the policy's and the value's, or that of DQN's values."""

    hidden: list[Width] = [128, 128]
    """Width of each hidden layer."""
    activation: Literal["relu", "tanh", "silu"] = "relu"
    """Between the layers."""


class Opponents(Section):
    """Who sits at the other seats, against the learner or with it; not used for one player."""

    shares: dict[str, NotNegative] = {"random": 0.2, "snapshot": 0.8}
    """Agent spec, `latest` (own newest snapshot), `snapshot` (pool of them): weight in the draw."""
    snapshot_every: Count = 250_000
    """Decisions between two snapshots, drawn or not: a report plays against the pool anyhow."""
    pool_size: Annotated[Whole, Field(ge=1, le=32)] = 8
    """How many snapshots, the newest, are in the pool; those that win more are drawn more often."""


class Imitation(Section):
    """Whom MaskablePPO copies at first: where chance play teaches nothing, it starts from there."""

    agent: str | None = None
    """Spec of the agent, which decides in the learner's place; null: nobody."""
    steps: CountOrNone = 1_000_000
    """For so many of the run's decisions."""
    learning_rate: Positive | None = None
    """Step size of Adam at first, which falls linearly to `ppo.learning_rate`; null: that one."""


class Evaluation(Section):
    """How the policy is scored on the way."""

    every: CountOrNone = 1_000_000
    """Decisions between evaluations; 0: never."""
    games: Played = 1000
    """Games against each rung of the ladder on the way."""
    final_games: Played = 10_000
    """Games against each rung at the end."""
    seed: Annotated[Whole, Field(ge=0)] = 1
    """Fixes the chance of these games."""
    sample: bool = False
    """Draw actions by their probabilities, as in learning, in place of the best ones; whoever plays
    by a checkpoint of the run does so too. Two best players may disagree for ever."""
    against: list[str] | None = None
    """Agent specs; null: all scripted baselines of the game."""


class Saving(Section):
    """When checkpoints are written."""

    every_seconds: Positive = 60.0
    """Seconds between checkpoints."""
    every_steps: CountOrNone = 0
    """Decisions between them; 0: by time alone."""
    keep: Count = 3
    """How many of the latest stay, besides the best."""


class Config(Section):
    """A training run."""

    algorithm: Literal["maskable_ppo", "ppo", "dqn"] = "maskable_ppo"
    """What learns: `maskable_ppo`; `ppo`, which is punished for illegal actions until it avoids
    them (to see what masks are worth); or `dqn`, with masks. The first two read `ppo`, the last
    reads `dqn`."""
    total_steps: Count = 2_000_000
    """Decisions of the learner in the whole run."""
    seed: Annotated[Whole, Field(ge=0, lt=2**32)] = 0
    """Fixes games, network and learning."""
    num_envs: Held = 512
    """Games in progress at a time."""
    threads: Annotated[Whole, Field(ge=0, le=1024)] = 0
    """Threads for games and network; 0: every core."""
    options: Options = {}
    """The game's options, `num_players` among them."""
    variants: list[Options] = []
    """Options over those, one mapping a variant: the games in progress are spread over the
    variants evenly. They are trained on only; evaluations keep to `options`. An option that is a
    mapping itself is replaced as a whole."""
    reward: Literal["outcome", "score", "points"] = "outcome"
    """Pay the result at the end (alone, the final score), each change of the lead in points, or
    each change of the own points, whoever leads."""
    reward_scale: Annotated[float, Field(ge=1e-6, le=1e6)] = 1.0
    """Rewards are divided by it for learning alone; where they are points, the usual total."""
    ppo: Ppo = Ppo()
    dqn: Dqn = Dqn()
    network: Network = Network()
    opponents: Opponents = Opponents()
    imitation: Imitation = Imitation()
    evaluation: Evaluation = Evaluation()
    saving: Saving = Saving()

    @property
    def section(self) -> str:
        """Returns the name of the section that the algorithm reads."""
        return "dqn" if self.algorithm == "dqn" else "ppo"

    @property
    def learning(self) -> Ppo | Dqn:
        """Returns the section that the algorithm reads."""
        return self.dqn if self.algorithm == "dqn" else self.ppo

    @property
    def copied(self) -> str | None:
        """Returns the spec of the agent that the run copies at first, None for nobody."""
        return self.imitation.agent if self.algorithm in readers("imitation") else None

    @property
    def update(self) -> int:
        """Returns how many decisions are made between two updates."""
        games = self.num_envs
        return games * (self.dqn.train_freq if self.algorithm == "dqn" else self.ppo.n_steps)


_READ_BY = {
    "ppo.illegal_penalty": ("ppo",),
    "ppo": ("maskable_ppo", "ppo"),
    "dqn": ("dqn",),
    "imitation": ("maskable_ppo",),
}
"""The algorithms that read a key, or a section's other keys, where not all of them do."""


def readers(key: str) -> tuple[str, ...]:
    """Returns the algorithms that read a key with dots, empty where all of them do."""
    for part, algorithms in _READ_BY.items():
        if key == part or key.startswith(f"{part}."):
            return algorithms
    return ()
