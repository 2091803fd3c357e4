"""Runs the command line for the tests beside it."""
import json
import subprocess
import sys

CLI = sys.argv[1]
NOW = "2026-12-01"
QWEN = {"id": "Qwen/Qwen2.5-7B"}


class Done:
    """What a run printed and how it ended."""

    def __init__(self, *arguments, text=None):
        ran = subprocess.run([CLI, *arguments], input=text, capture_output=True, text=True, timeout=120)
        self.code, self.out, self.err = ran.returncode, ran.stdout, ran.stderr

    def json(self):
        assert self.code == 0, self.err
        return json.loads(self.out)


def serving(**members):
    """A complete scenario with these members laid over it."""
    return {"model": QWEN, "task": "inference", **members}


def estimate(scenario, *options):
    return Done("estimate", "-", "--now", NOW, *options, text=scenario if isinstance(scenario, str) else json.dumps(scenario))
