"""Closes a test run: the runners' own summary lines, step by step, and one line that adds them up. Usage: summary.py LOG-WITHOUT-SUFFIX..."""
import pathlib
import re
import sys

CTEST = re.compile(r"^\d+% tests passed, (\d+) tests failed out of (\d+)", re.MULTILINE)
NODE = re.compile(r"^(?:#|ℹ) (tests|pass|fail|skipped) (\d+)", re.MULTILINE)


def counts(text):
    """(passed, failed) that the runners in one log report, and the lines in which they do."""
    passed = failed = 0
    lines = []
    for found in CTEST.finditer(text):
        failed += int(found.group(1))
        passed += int(found.group(2)) - int(found.group(1))
        lines.append(found.group(0))
    for found in NODE.finditer(text):
        passed += int(found.group(2)) if found.group(1) == "pass" else 0
        failed += int(found.group(2)) if found.group(1) == "fail" else 0
        lines.append(found.group(0))
    return passed, failed, lines


def main(logs):
    total_passed = total_failed = 0
    for log in logs:
        passed, failed, lines = counts(pathlib.Path(log + ".log").read_text(encoding="utf-8", errors="replace"))
        total_passed, total_failed = total_passed + passed, total_failed + failed
        print(f"-- {pathlib.Path(log).name}", *lines, sep="\n")
    print(f"{total_passed} passed, {total_failed} failed")


if __name__ == "__main__":
    main(sys.argv[1:])
