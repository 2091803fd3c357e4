"""A measured profile on its way through the command line. Usage: cli_test.py GPUPLAN PROBE_SIM"""
import json
import pathlib
import subprocess
import sys
import tempfile

GPUPLAN, SIM = sys.argv[1:3]


def gpuplan(folder, *arguments, expect=0):
    done = subprocess.run([GPUPLAN, *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == expect, (arguments, done.returncode, done.stderr)
    return done.stderr if expect else done.stdout


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([SIM, "--quick", "-o", "profile.json"], cwd=folder, check=True, capture_output=True)
        (folder / "scenario.json").write_text(json.dumps({"model": {"id": "meta-llama/Llama-3.1-8B"}, "task": "inference"}))

        seen = json.loads(gpuplan(folder, "inspect", "profile.json"))
        assert seen["kind"] == "profile" and seen["gpu"] is None and seen["profile"]["gpu"]["name"] == "Simulated GPU 80GB"

        answer = json.loads(gpuplan(folder, "estimate", "scenario.json", "--profile", "profile.json"))
        assert 84400000000 < answer["memory"]["usable_bytes"] < 85520809984 and answer["resolved"]["hardware"]["gpus_per_node"] == 4
        (folder / "resolved.json").write_text(json.dumps(answer["resolved"]))
        again = json.loads(gpuplan(folder, "estimate", "resolved.json"))
        assert again["time"] == answer["time"] and again["memory"] == answer["memory"], "the resolved scenario gives the same answer"

        link = gpuplan(folder, "share", "scenario.json", "--profile", "profile.json").strip()
        opened = json.loads(gpuplan(folder, "open", link))
        assert opened["hardware"]["profile"] == json.loads((folder / "profile.json").read_text())

        sent = subprocess.run([SIM, "--send", "profile.json", "--link"], cwd=folder, capture_output=True, text=True).stdout.strip()
        compact = json.loads(gpuplan(folder, "open", sent))
        assert compact["hardware"]["gpus_per_node"] == 4 and "measurements" not in compact["hardware"]["profile"]

        text = (folder / "profile.json").read_text()
        (folder / "changed.json").write_text(text.replace('"multiprocessors": 132', '"multiprocessors": 133'))
        assert "checksum" in gpuplan(folder, "inspect", "changed.json", expect=2)
        assert "/hardware/profile/checksum" in gpuplan(folder, "estimate", "scenario.json", "--profile", "changed.json", expect=2)
        assert "missing.json" in gpuplan(folder, "estimate", "scenario.json", "--profile", "missing.json", expect=2)


if __name__ == "__main__":
    main()
