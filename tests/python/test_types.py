"""The types that type checkers see."""

import pathlib
import re
import subprocess
import sys

import pytest

import dealers_choice as dc

CODE = '''
import dealers_choice as dc

env = dc.gym_env("leduc")
reveal_type(env.reset(seed=1)[0])  # dict[str, ndarray]
reveal_type(env.step(1)[1])  # float
reveal_type(env.action_masks())  # ndarray
envs = dc.vector_env("leduc", 3)
reveal_type(envs.reset(seed=1)[0])  # dict[str, ndarray]
reveal_type(envs.observations)  # ndarray
reveal_type(dc.features("draw", envs.observations))  # ndarray
reveal_type(dc.Decision(1).action)  # int | None
reveal_type(dc.Env("leduc").cursor)  # tuple[int, int, int]
reveal_type(dc.afterstates("ofc", dc.Env("ofc").observe(0)))  # list[dict[str, Any]]
reveal_type(dc.load_torch(dc.models()["holdem"]).game)  # Game
'''


def test_types(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "code.py").write_text(CODE)
    options = ["--ignore-missing-imports", "--python-executable", sys.executable, "--cache-dir", str(tmp_path)]
    package = pathlib.Path(dc.__file__).parent
    result = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "code.py"],
        cwd=tmp_path,
        env={"MYPYPATH": "" if "site-packages" in str(package) else str(package.parent), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout
    shown = [line.split('"')[1] for line in result.stdout.splitlines() if "Revealed type" in line]
    arrays = r"numpy\.ndarray\[tuple\[Any, \.\.\.\], numpy\.dtype\[(?:[^\[\]]|\[[^\[\]]*\])*\]\]"
    shown = [re.sub(arrays, "ndarray", text).replace("dealers_choice._core.", "") for text in shown]
    assert shown == re.findall(r"# (.*)", CODE)
