"""A config is checked key by key; each fault is one line that says what to do."""

from pathlib import Path

import pytest
from dino_training.config import Config, ConfigError, config_path, load_config, readers
from dino_training.config_text import as_typed, explained, keys_of

from dino_envs.games import games, load


def faults(*arguments: object) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_config(*arguments)
    return str(caught.value).split("\n")


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text)
    return path


def test_without_differences_it_is_the_defaults() -> None:
    assert load_config() == Config()
    assert Config().ppo.gamma == 1.0


def test_every_key_is_explained() -> None:
    def check(model: type) -> None:
        for name, field in model.model_fields.items():
            if hasattr(field.annotation, "model_fields"):
                assert field.annotation.__doc__
                check(field.annotation)
            else:
                assert field.description, name

    check(Config)


def test_a_file_holds_differences_and_settings_override_it(tmp_path: Path) -> None:
    file = write(tmp_path, "total_steps: 2e6\nppo:\n  n_epochs: 7\n  gamma: 1\n")
    settings = ["ppo.n_epochs=8", "ppo.learning_rate=3e-4", "options.target=60", "options.tie=turn"]
    config = load_config(file, settings)
    assert (config.total_steps, config.ppo.n_epochs, config.ppo.gamma) == (2_000_000, 8, 1.0)
    assert config.ppo.learning_rate == 3e-4
    assert config.options == {"target": 60, "tie": "turn"}
    assert config.ppo.n_steps == Config().ppo.n_steps


def test_mappings_are_replaced_by_a_file_and_extended_by_a_setting(tmp_path: Path) -> None:
    file = write(tmp_path, "opponents:\n  shares: {greedy: 1}\n")
    assert load_config(file).opponents.shares == {"greedy": 1}
    more = load_config(file, ["opponents.shares.snapshot=0.5"])
    assert more.opponents.shares == {"greedy": 1, "snapshot": 0.5}
    other = load_config(file, ["opponents.shares={random: 2}"])
    assert other.opponents.shares == {"random": 2}
    section = load_config(file, ["opponents={pool_size: 3}"]).opponents
    assert (section.pool_size, section.shares) == (3, {"greedy": 1})


def test_an_option_may_be_a_mapping(tmp_path: Path) -> None:
    file = write(tmp_path, "options: {deck: {meteor: 4}}\nvariants: [{}, {deck: {meteor: 2}}]\n")
    config = load_config(file, ["options.deck.fossil=0"])
    assert config.options == {"deck": {"meteor": 4, "fossil": 0}}
    assert config.variants == [{}, {"deck": {"meteor": 2}}]
    assert Config.model_validate_json(config.model_dump_json()) == config
    assert load_config(None, ["options.deck.fossil=0"]).options == {"deck": {"fossil": 0}}
    typed = load_config(None, ["options.deck=meteor:4,fossil:0"])
    assert typed.options == {"deck": "meteor:4,fossil:0"}
    assert (
        "deck is 'meteor:4,fossil:0' already" in faults(None, ["options.deck.fossil=1"], typed)[0]
    )


def test_the_game_judges_options_of_any_kind(tmp_path: Path) -> None:
    holiday = load("trex_holiday")
    text = "options: {sheet: {streamer: [box]}}\nvariants: [{}, {sheet: {areas: [{size: 2}]}}]\n"
    settings = ["options.sheet.grey.cars=[1, 2]", "options.num_players=1"]
    config = load_config(write(tmp_path, text), settings, None, holiday)
    assert config.options == {
        "sheet": {"streamer": ["box"], "grey": {"cars": [1, 2]}},
        "num_players": 1,
    }
    assert config.variants == [{}, {"sheet": {"areas": [{"size": 2}]}}]
    assert Config.model_validate_json(config.model_dump_json()) == config
    given = load_config(None, ['options.sheet={"streamer": ["box"]}'], None, holiday)
    assert given == load_config(None, ["options.sheet.streamer=[box]"], None, holiday)
    file = write(tmp_path, "options: {max_rounds: 0, sheets: 3}\n")
    assert faults(file, [], None, holiday) == [
        f"{file}: options.max_rounds=0: give a whole number, 1 to 1000",
        f"{file}: options.sheets: unknown key; did you mean 'sheet'?",
    ]
    write(tmp_path, "variants: [{grey: none}, {greys: none}]\n")
    assert faults(file, [], None, holiday) == [
        f"{file}: variants.0.grey='none': choose one of printed, shared, personal",
        f"{file}: variants.1.greys: unknown key; did you mean 'grey'?",
    ]


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("options.sheet.streamer=[box,bx]", "options.sheet: 'bx' under the streamer: choose of"),
        ("options.sheet={areas: [{size: 9}]}", "options.sheet: area 1: size=9: give a whole"),
        (
            "options.sheet={steamer: [box]}",
            "options.sheet has no 'steamer'; did you mean 'streamer'",
        ),
        ("options.sheet=3", "options.sheet=3: give a mapping with areas, streamer, grey"),
        ("options.num_players=nine", "options.num_players='nine': give a whole number, 1 to 8"),
        ("options.carp_equals=1", "options.carp_equals: unknown key; did you mean 'carp_equal'?"),
        (
            "variants=[{sheet: {streamer: []}}]",
            "variants.0.sheet: streamer=[]: give a list of 1 to",
        ),
    ],
)
def test_an_option_the_game_does_not_allow_is_one_line(setting: str, told: str) -> None:
    lines = faults(None, [setting], None, load("trex_holiday"))
    assert len(lines) == 1
    assert lines[0].startswith(f"--set {setting}: {told}")


def test_options_that_do_not_go_together_are_one_line_when_all_are_known() -> None:
    printed = "sheet: {grey: {areas: [1, 2], cars: [1, 2], cans: [1, 3]}}"
    holiday, fault = load("trex_holiday"), "sheet: every room has 1 printed in grey"
    (line,) = faults(None, [f"options={{grey: shared, {printed}}}"], None, holiday)
    assert line.startswith(f"config: options: {fault}")
    (line,) = faults(None, [f"variants=[{{grey: shared, {printed}}}]"], None, holiday)
    assert line.startswith(f"config: variants.0: {fault}")
    settings = [f"options={{{printed}}}", "options.grey=shared", "options.sheet.grey.cars=[2, 3]"]
    load_config(None, settings, None, holiday)


def test_each_fault_of_a_file_is_a_line_with_file_key_and_nearest_key(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "total_step: 3\nppo: {n_step: 4, learning_rate: fast}\nn_epochs: 3\n"
        "opponents: {shares: {greedy: -1}}\nevaluation: 3\n",
    )
    lines = faults(file)
    assert all(line.startswith(f"{file}: ") for line in lines)
    assert sorted(line.removeprefix(f"{file}: ") for line in lines) == [
        "evaluation: 3 does not fit: a section of keys is wanted",
        "n_epochs: unknown key; did you mean 'ppo.n_epochs'?",
        "opponents.shares.greedy: -1 does not fit: greater than or equal to 0",
        "ppo.learning_rate: 'fast' does not fit: a number is wanted",
        "ppo.n_step: unknown key; did you mean 'ppo.n_steps'?",
        "total_step: unknown key; did you mean 'total_steps'?",
    ]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("seeds=1", "--set seeds=1: seeds: unknown key; did you mean 'seed'?"),
        (
            "ppo.xyzzy=1",
            "ppo.xyzzy: unknown key; the keys there are ppo.n_steps, ppo.",
        ),
        ("seed=1.5", "--set seed=1.5: seed: 1.5 does not fit: a whole number is wanted"),
        ("seed=true", "--set seed=true: seed: True does not fit: a whole number is wanted"),
        ("seed=-1", "--set seed=-1: seed: -1 does not fit: greater than or equal to 0"),
        ("ppo=3", "--set ppo=3: ppo: 3 does not fit: a section of keys is wanted"),
        ("ppo.gamma=1.5", "--set ppo.gamma=1.5: ppo.gamma: 1.5 does not fit: less than or equal"),
        ("reward=wins", "reward: 'wins' does not fit: 'outcome', 'score' or 'points'"),
        ("network.activation=gelu", "network.activation: 'gelu' does not fit: 'relu', 'tanh' or"),
        ("network.hidden=[8, 0]", "network.hidden.1: 0 does not fit: greater than or equal to 1"),
        ("evaluation.against=greedy", "against: 'greedy' does not fit: a list is wanted"),
        ("options.target=2024-03-04", "options.target: datetime.date(2024, 3, 4) does not fit"),
        (
            "options={deck: {1: 2}}",
            "options.deck: {1: 2} does not fit: a text, a finite number, or",
        ),
        ("options=3", "options: 3 does not fit: a mapping of names to values is wanted"),
        (
            "variants=[{target: {a: [.inf]}}]",
            "variants.0.target: {'a': [inf]} does not fit: a text",
        ),
        ("ppo.n_steps.x=1", "ppo.n_steps: {'x': 1} does not fit: a whole number is wanted"),
        ("seed", "--set seed: write it as key=value"),
        ("=3", "--set =3: write it as key=value"),
        ("threads={", "--set threads={: not valid YAML"),
        ("ppo.learning_rate=.inf", "ppo.learning_rate: inf does not fit: a finite number"),
        ("ppo.vf_coef=.nan", "ppo.vf_coef: nan does not fit: a finite number"),
        ("options={target: .nan}", "options.target: nan does not fit"),
        ("options={target: 4, target: 5}", "not valid YAML: the key 'target' stands there twice"),
        ("seed=" + "[" * 3000 + "]" * 3000, "not valid YAML: nested too deeply"),
        ("seed=2024-13-45", "not valid YAML: month must be in"),
        ("seed=0x" + "f" * 9000, "does not fit: less than"),
        ("seed=1e30", "seed: 1e+30 does not fit: less than 4294967296"),
        ("total_steps=1e30", "total_steps: 1e+30 does not fit: less than or equal to 1"),
        ("evaluation.games=1e8", "evaluation.games: 100000000.0 does not fit: less than or equal"),
        ("evaluation.final_games=1e30", "final_games: 1e+30 does not fit: less than or equal to 1"),
        ("num_envs=1e308", "num_envs: 1e+308 does not fit: less than or equal to 1000000"),
        ("threads=1099511627776", "threads: 1099511627776 does not fit: less than or equal"),
        ("network.hidden=[8, 1e20]", "hidden.1: 1e+20 does not fit: less than or equal to 65536"),
        ("ppo.n_steps=1e9", "n_steps: 1000000000.0 does not fit: less than or equal to 1000000"),
        ("dqn.buffer_size=1e12", "buffer_size: 1000000000000.0 does not fit: less than or"),
        ("ppo.clip_range=1e308", "clip_range: 1e+308 does not fit: less than or equal to 1000000"),
        ("reward_scale=1e308", "reward_scale: 1e+308 does not fit: less than or equal to 1000000"),
        ("reward_scale=1e-308", "reward_scale: 1e-308 does not fit: greater than or equal"),
    ],
)
def test_a_wrong_setting_is_one_line(setting: str, message: str) -> None:
    lines = faults(None, [setting])
    assert len(lines) == 1
    assert message in lines[0]


@pytest.mark.parametrize(
    ("setting", "nearest"),
    [
        ("num_players=3", "options.num_players"),
        ("target=3", "options.target"),
        ("num_player=3", "options.num_players"),
        ("ppo.target=3", "options.target"),
        ("num_env=3", "num_envs"),
        ("seeds=1", "seed"),
    ],
)
def test_an_option_of_the_game_is_among_the_nearest_keys(
    setting: str, nearest: str, tmp_path: Path
) -> None:
    dice = load("dino_dice")
    assert faults(None, [setting], None, dice)[0].endswith(f"did you mean '{nearest}'?")
    file = write(tmp_path, "target: 3\n")
    assert faults(file, [], None, dice)[0].endswith("did you mean 'options.target'?")


def test_files_that_are_no_config_are_refused(tmp_path: Path) -> None:
    assert "cannot read the config" in faults(tmp_path / "none.yaml")[0]
    assert "a config is a mapping" in faults(write(tmp_path, "- 1\n"))[0]
    assert "not valid YAML" in faults(write(tmp_path, "a: [\n"))[0]
    assert "not valid YAML" in faults(write(tmp_path, "a: !!python/name:os.system\n"))[0]
    assert load_config(write(tmp_path, "# nothing\n")) == Config()


def test_a_config_that_is_too_large_is_refused_and_a_long_value_cut(tmp_path: Path) -> None:
    assert "at most 1,000,000 bytes" in faults(write(tmp_path, "# x\n" * 300_000))[0]
    bomb = ["variants:", "  - &a0 [x, x]"]
    bomb += [f"  - &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    lines = faults(write(tmp_path, "\n".join(bomb)))
    assert max(map(len, lines)) < 300
    bomb[:2] = ["options:", "  a0: &a0 [x, x]"]
    bomb[2:] = [line.replace("- &", f"a{n}: &") for n, line in enumerate(bomb[2:], 1)]
    assert "at most 10,000 parts" in faults(write(tmp_path, "\n".join(bomb)))[0]
    assert "at most 10,000 parts" in faults(None, ["options.a=&a [*a]"])[0]
    twice = faults(write(tmp_path, "seed: 1\nppo: {gamma: 1}\nseed: 2\n"))
    assert "the key 'seed' stands there twice" in twice[0]
    assert "line 3" in twice[0]


def test_a_batch_must_divide_the_decisions_of_an_update() -> None:
    line = faults(None, ["num_envs=100", "ppo.n_steps=10", "ppo.batch_size=300"])[0]
    assert "ppo.batch_size: 300 does not fit: it must divide num_envs x ppo.n_steps = 1000" in line
    load_config(None, ["num_envs=100", "ppo.n_steps=10", "ppo.batch_size=2000"])


def test_a_config_survives_json() -> None:
    config = load_config(None, ["options.target=60", "evaluation.against=[random]"])
    assert Config.model_validate_json(config.model_dump_json()) == config


def test_keys_are_named_with_dots() -> None:
    keys = keys_of(Config)
    assert {"seed", "ppo", "ppo.n_steps", "opponents.shares"} <= set(keys)


def test_every_value_is_shown_as_it_is_typed() -> None:
    config = load_config(None, ["ppo.n_epochs=7", "network.hidden=[8, 9]", "reward=score"])
    rows = {key: rest for key, *rest in explained(config)}
    sections = {"ppo", "dqn", "network", "opponents", "imitation", "evaluation", "saving"}
    assert {*rows} == {*keys_of(Config)} - sections
    assert rows["ppo.n_epochs"] == [7, 4, "How often an update goes through all decisions."]
    typed = {key: as_typed(value) for key, (value, *_) in rows.items()}
    assert typed["network.hidden"] == "[8, 9]"
    assert typed["reward"] == "score"
    read = [key for key in typed if config.algorithm in (readers(key) or [config.algorithm])]
    assert load_config(None, [f"{key}={typed[key]}" for key in read]) == config


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["dqn.tau=1"], "--set dqn.tau=1: dqn.tau is for dqn, and algorithm is maskable_ppo: le"),
        (["dqn={tau: 1}"], "dqn is for dqn, and algorithm is maskable_ppo"),
        (["algorithm=dqn", "ppo.gamma=1"], "ppo.gamma is for maskable_ppo and ppo, and"),
        (["ppo.illegal_penalty=1"], "ppo.illegal_penalty is for ppo, and algorithm is"),
        (["algorithm=a2c"], "algorithm: 'a2c' does not fit: 'maskable_ppo', 'ppo' or 'dqn'"),
        (["algorithm=dqn", "dqn.buffer_size=9"], "dqn.buffer_size: 9 does not fit: at least 2"),
        (["algorithm=dqn", "dqn.target_update_interval=9"], "at least num_envs = 512 is wanted"),
        (["algorithm=dqn", "dqn.tau=0"], "dqn.tau: 0 does not fit: greater than 0"),
    ],
)  # fmt: skip
def test_settings_that_the_algorithm_does_not_read_or_cannot_use_are_errors(
    settings: list[str], told: str
) -> None:
    (line,) = faults(None, settings)
    assert told in line


def test_a_file_may_hold_keys_for_other_algorithms(tmp_path: Path) -> None:
    file = write(tmp_path, "ppo: {n_steps: 5}\ndqn: {batch_size: 7}\n")
    for algorithm in ("maskable_ppo", "ppo", "dqn"):
        config = load_config(file, [f"algorithm={algorithm}", "num_envs=16", "total_steps=80"])
        assert config.update == 16 * (4 if algorithm == "dqn" else 5)
    load_config(file, ["algorithm=dqn", "dqn.batch_size=8"])
    load_config(file, ["algorithm=ppo", "ppo.illegal_penalty=0", "ppo.batch_size=2560"])


@pytest.mark.parametrize("game_id", games())
def test_every_games_own_config_can_be_used(game_id: str) -> None:
    path = config_path(game_id)
    if path is None:
        pytest.skip("it has none")
    load_config(path, [], None, load(game_id))
