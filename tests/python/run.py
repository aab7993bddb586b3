"""Installs the Python module and runs its tests: run.py SOURCE BUILD NATIVE CC CXX [PACKAGE].

A virtual environment in BUILD gets what the tests need; it is kept. With DEALER_TEST_ALL it gets PyTorch and what learns
with it, too (3 GB); where pip cannot fetch that, its tests are skipped. The module is the one in the folder PACKAGE, or pip
builds and installs it. Ends with 77 (skipped) where there is no venv, or no network for pip.
"""

import os
import pathlib
import subprocess
import sys
import venv

SKIPPED = 77
NEEDS = ["numpy", "pytest", "pettingzoo>=1.24", "gymnasium>=1.1", "scikit-build-core>=0.10", "nanobind>=2.5"]
LEARNING = ["torch>=2.3", "sb3-contrib>=2.3", "onnx", "onnxscript", "onnxruntime"]


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


source, build, native = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) / "python_test", sys.argv[3]
package = sys.argv[6] if len(sys.argv) > 6 else None
folder, stamp = build / "venv", build / "has"
python = folder / "bin" / "python"
learning = LEARNING if "DEALER_TEST_ALL" in os.environ else []
needs = [sys.version.split()[0], *NEEDS, *learning]

if not stamp.exists() or not set(needs) <= set(stamp.read_text().splitlines()):
    build.mkdir(parents=True, exist_ok=True)
    try:
        venv.create(folder, with_pip=True, clear=True)
    except (subprocess.CalledProcessError, OSError) as error:
        skip(f"no virtual environment (apt install python3-venv): {error}")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1"]
    if subprocess.run([*pip, *NEEDS]).returncode != 0:
        skip("pip cannot fetch what the tests need")
    if learning and subprocess.run([*pip, *learning]).returncode != 0:
        print("pip cannot fetch PyTorch and what learns with it: their tests are skipped")
        needs = needs[: -len(learning)]
    stamp.write_text("\n".join(needs))

# The compilers of the build, for ccache looks at their names, too.
environment = {**os.environ, "DEALER_CACHE": str(build / "cache"), "CC": sys.argv[4], "CXX": sys.argv[5]}
environment.pop("PYTHONPATH", None)
environment.pop("DEALER_DATA", None)
if package:
    environment["PYTHONPATH"] = package
else:
    settings = {"build-dir": build / "build", "cmake.define.DEALER_NATIVE": native}
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps"]
    install += [f"--config-settings={key}={value}" for key, value in settings.items()]
    subprocess.run([*install, source], check=True, env=environment)
tests = [python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", source / "tests" / "python"]
sys.exit(subprocess.run(tests, cwd=build, env=environment).returncode)
