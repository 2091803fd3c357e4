"""The command line of gpuplan-probe over a simulated machine: exit statuses, files, Ctrl-C. Usage: program_test.py SIM"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SIM = sys.argv[1]
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("RANK", "WORLD_SIZE", "LOCAL_", "OMPI_", "PMI", "MPI_", "SLURM_", "MASTER_", "TORCHELASTIC"))}


def run(folder, *arguments, expect, words="", **extra):
    done = subprocess.run([SIM, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, env=dict(CLEAN, GPUPLAN_SIM=words, **extra))
    assert done.returncode == expect, (arguments, done.returncode, done.stdout[-300:], done.stderr[-600:])
    return done


def profile(folder, name="gpuplan-profile.json"):
    text = (folder / name).read_text()
    assert len(text) <= 65536
    return json.loads(text)


def test_a_whole_run_writes_a_profile_and_a_table(folder):
    done = run(folder, "--quick", expect=0)
    assert "TFLOPS" in done.stdout and profile(folder)["complete"] is True
    kinds = {m["status"] for m in profile(folder)["measurements"]}
    assert kinds == {"measured", "skipped"}


def test_json_prints_the_file(folder):
    done = run(folder, "--quick", "--only", "launch", "--json", "-o", "x.json", expect=0)
    assert done.stdout == (folder / "x.json").read_text()


def test_nothing_identifies_the_machine_unless_asked(folder):
    run(folder, "--quick", "--only", "launch", expect=0)
    assert "identity" not in profile(folder)
    run(folder, "--quick", "--only", "launch", "--identify", expect=0)
    assert profile(folder)["identity"]["host"] == "example-host"


def test_only_measures_what_was_asked_for(folder):
    run(folder, "--only", "gemm-bf16,launch", expect=0)
    assert [m["key"] for m in profile(folder)["measurements"]] == ["launch-kernel", "launch-graph", "gemm-bf16"]


def test_samples_are_kept_beside(folder):
    run(folder, "--quick", "--only", "launch", "--samples", "raw.json", expect=0)
    raw = json.loads((folder / "raw.json").read_text())
    assert raw["samples"] and all(len(s["seconds"]) >= 3 for s in raw["samples"])


def test_list_needs_no_gpu(folder):
    done = run(folder, "--list", expect=0, words="no-gpu")
    assert "gemm-bf16" in done.stdout and "no NVIDIA GPU" in done.stdout
    assert "[not here: the GPU has no units for this type]" in run(folder, "--list", expect=0).stdout


def test_wrong_arguments_say_what_is_wrong_in_one_line_and_write_nothing(folder):
    wrong = [["--budget", "0"], ["--budget", "x"], ["--budget", "1e9"], ["--device", "-1"], ["--device", "x"], ["--quick", "--thorough"], ["--only", "nonsense"],
             ["--only", ""], ["--unknown"], ["extra"], ["--method", "get"], ["--send", "missing.json"], ["--token-file", "missing", "--upload", "https://127.0.0.1/"],
             ["--output", "no/such/folder/p.json"], ["--output", "."], ["--output", "/dev/null"], ["--output", ""], ["--samples", "no/such/folder/s.json"],
             ["--gpu", "x" * 200], ["--gpu", "a\nb"], ["--page", "javascript:alert(1)"], ["--page", "http"], ["--token-file", "a", "--token-env", "B"]]
    for arguments in wrong:
        done = run(folder, *arguments, expect=2)
        assert len(done.stderr.splitlines()) == 1 and len(done.stderr) < 1200, (arguments, done.stderr)
        assert not list(folder.iterdir()), arguments


def test_no_gpu_is_its_own_status(folder):
    assert "no NVIDIA GPU" in run(folder, expect=4, words="no-gpu").stderr
    assert "there is no device 9" in run(folder, "--device", "9", expect=4).stderr
    assert not list(folder.iterdir())


def test_faults_leave_a_partial_profile(folder):
    run(folder, "--quick", expect=3, words="hang")
    assert profile(folder)["complete"] is False
    run(folder, "--quick", expect=3, words="fail")
    failed = {m["key"] for m in profile(folder)["measurements"] if m["status"] == "failed"}
    assert "gemm-bf16" in failed and "gemm" not in profile(folder)


def test_ctrl_c_leaves_a_valid_partial_profile(folder):
    for delay in (0.05, 0.5, 1.5):
        started = subprocess.Popen([SIM], cwd=folder, env=dict(CLEAN, GPUPLAN_SIM="real-time"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(delay)
        started.send_signal(signal.SIGINT)
        assert started.wait(timeout=10) == 3, (delay, started.returncode)
        assert profile(folder)["complete"] is False
        assert any(n["code"] == "interrupted" for n in profile(folder)["notes"])
        run(folder, "--send", "gpuplan-profile.json", "--link", expect=0)  # which reads it strictly
        started.stdout.close()
        started.stderr.close()


def test_an_old_profile_is_replaced_whole_or_kept(folder):
    (folder / "gpuplan-profile.json").write_text("old")
    run(folder, expect=4, words="no-gpu")
    assert (folder / "gpuplan-profile.json").read_text() == "old"
    run(folder, "--quick", "--only", "launch", expect=0)
    assert profile(folder)["format"] == "gpuplan-profile" and len(list(folder.iterdir())) == 1


def test_a_damaged_profile_is_not_sent(folder):
    run(folder, "--quick", "--only", "launch", expect=0)
    good = (folder / "gpuplan-profile.json").read_text()
    for text in ("", "{", good[:-20], good.replace("Simulated", "Other"), "[" * 60000, good + " " * 70000, "\0" * 100):
        (folder / "bad.json").write_text(text)
        done = run(folder, "--send", "bad.json", "--link", expect=2)
        assert len(done.stderr.splitlines()) == 1 and done.stdout == "", done.stderr
    run(folder, "--send", "gpuplan-profile.json", expect=2)  # neither --upload nor --link
    assert run(folder, "--send", "gpuplan-profile.json", "--link", "--page", "https://example.org/", expect=0).stdout.startswith("https://example.org/#v1?")


def test_launchers_are_understood(folder):
    one = dict(RANK="1", WORLD_SIZE="2", LOCAL_RANK="1", LOCAL_WORLD_SIZE="2")
    run(folder, "--quick", expect=0, **one)
    assert not list(folder.iterdir()), "only rank 0 writes"
    run(folder, "--quick", expect=2, **dict(one, RANK="2"))
    run(folder, "--quick", "--alone", "--only", "launch", expect=0, **dict(one, RANK="2"))
    assert profile(folder)["complete"] is True


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as folder:
                test(pathlib.Path(folder))
    print("all passed")


if __name__ == "__main__":
    main()
