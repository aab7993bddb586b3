"""The package as it is installed: hint, stubs, data, extras, documentation, examples."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import dealers_choice as dc

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE = pathlib.Path(dc.__file__).parent


def run(*command, cwd=None):
    # Small networks gain nothing by threads, which wait for each other where other tests run beside them.
    alone = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True, cwd=cwd, env=alone).stdout


def test_hint(tmp_path):
    hint = run("-m", "dealers_choice", cwd=tmp_path)
    assert hint.startswith(f"dealers_choice {dc.__version__}\n")
    assert all(game in hint for game in dc.games())
    lines = hint[hint.index("import dealers_choice") :]
    assert len(lines.splitlines()) == 3 and "to act" in run("-c", lines, cwd=tmp_path)


def test_stubs_tell_all_there_is():
    assert (PACKAGE / "py.typed").exists()
    stub = (PACKAGE / "_core.pyi").read_text()
    assert "std::" not in stub and "dealer::" not in stub
    for name in dc.__all__:
        thing = getattr(dc, name)
        assert thing.__doc__, name
        if getattr(thing, "__module__", "").endswith("_core"):
            assert re.search(rf"^(class|def) {name}\b", stub, re.M), name
    for name in [name for name in dir(dc._core) if not name.startswith("_")]:
        assert name in dc.__all__ or name == "Tables"  # the inside of VectorEnv


@pytest.mark.parametrize("package, call", [("pettingzoo", "env"), ("gymnasium", "gym_env")])
def test_missing_extras_are_named(package, call):
    code = f"""
import sys
sys.modules["{package}"] = None
import dealers_choice as dc
try:
    dc.{call}("leduc")
except ImportError as error:
    print(error)
"""
    assert run("-c", code).startswith(f"{package} is not installed: pip install 'dealers_choice[{package}]'")


def test_data_of_an_installed_package_is_its_own(tmp_path):
    if not (PACKAGE / "share").exists():
        pytest.skip("not installed: the package of a build folder uses the data of the source tree")
    moved = tmp_path / "dealers_choice"
    subprocess.run(["cp", "-r", PACKAGE, moved], check=True)
    games = moved / "share" / "dealers_choice" / "configs" / "games"
    (games / "leduc.yaml").rename(games / "renamed_leduc.yaml")
    names = run("-c", "import dealers_choice as dc; print(dc.__file__, dc.games())", cwd=tmp_path)
    assert str(moved) in names and "'renamed_leduc'" in names and "'leduc'" not in names


def test_documentation(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "python.md").read_text()
    monkeypatch.chdir(tmp_path)
    names = {}
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert len(blocks) >= 7
    for block in blocks:
        exec(block, names)
    table = page[page.index("| array |") : page.index("They are the same objects")]
    for name in re.findall(r"^\| `([a-z_]+)`", table, re.M):
        assert name in dc.VectorEnv.__annotations__, name


@pytest.mark.parametrize(
    "example, arguments, words, needs",
    [
        ("random_play.py", [], "won and lost", None),
        ("random_play.py", ["ofc"], "points", None),
        ("own_agent.py", ["300"], r"Thumb against random: \+", None),
        ("leduc_learner.py", ["12"], r"learned against random: \+", None),
        ("fantasyland_chart.py", ["20"], r"wrote fantasyland\.svg", None),
        ("maskable_ppo.py", ["12000"], r"MaskablePPO against random: \+", "sb3_contrib"),
        ("self_play_ppo.py", ["15"], r"self_play against random: \+", "torch"),
        ("search_teacher.py", ["6", "50"], r"held-out gain: [+-]\d\.\d+ \+- ", "torch"),
        ("torch_network.py", ["400"], r"leduc_copy\.safetensors against random: \+", "torch"),
        ("onnx_export.py", ["holdem"], r"64 positions: the largest difference is \d\.\de-0[6-9]", "onnxruntime"),
    ],
)
def test_examples(example, arguments, words, needs, tmp_path):
    if needs:
        pytest.importorskip(needs)
    output = run(ROOT / "examples" / "python" / example, *arguments, cwd=tmp_path)
    assert re.search(words, output)
    if example == "fantasyland_chart.py":
        assert (tmp_path / "fantasyland.svg").read_text().count("<polyline") == 5
