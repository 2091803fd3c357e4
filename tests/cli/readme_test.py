"""The questions of README.md: each command is run and must print what stands below it. With --approve README.md takes today's answers."""
import difflib
import os
import pathlib
import re
import subprocess
import sys

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r"(```\n\$ )(.*?)(\n```)", re.S)


def answer(command):
    environment = dict(os.environ, PATH=f"{pathlib.Path(sys.argv[1]).resolve().parent}{os.pathsep}{os.environ['PATH']}")
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, env=environment)
    return ran.stdout.rstrip("\n") if ran.returncode == 0 else f"exit status {ran.returncode}: {ran.stderr.strip()}"


def renewed(block):
    """A command may go on over several lines: each but its last ends in a backslash."""
    lines = block.group(2).split("\n")
    last = next(i for i, line in enumerate(lines) if not line.endswith("\\"))
    command = "\n".join(lines[: last + 1])
    return block.group(1) + command + "\n" + answer(command) + block.group(3)


def main():
    text = README.read_text(encoding="utf-8")
    if len(BLOCK.findall(text)) < 3:
        sys.exit("README.md shows fewer than three questions")
    today = BLOCK.sub(renewed, text)
    if "--approve" in sys.argv:
        README.write_text(today, encoding="utf-8")
    elif today != text:
        print("\n".join(difflib.unified_diff(text.splitlines(), today.splitlines(), "README.md", "today", lineterm="", n=1)))
        sys.exit("README.md's answers have changed; if they should: python3 tests/cli/readme_test.py build/dev/native/cli/gpuplan --approve")


main()
