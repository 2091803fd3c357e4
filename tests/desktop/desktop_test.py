"""The desktop app draws the rows that the command line prints, opens and copies the same link, and rests when nothing happens."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

CLI, DESKTOP, XVFB = os.environ["GPUPLAN_CLI"], os.environ["GPUPLAN_DESKTOP"], os.environ["XVFB_RUN"]
NOW = "2026-12-01"
SCENARIOS = [
    {},
    {"task": "qlora"},
    {"task": "pretraining", "policy": {"currency": "CNY"}},
    {"task": "inference", "model": {"id": "Qwen/Qwen2.5-7B"}, "policy": {"providers": ["aws"], "objective": "latency"}},
    {"task": "inference", "policy": {"max_usd_per_hour": 0.001}},
]


def app(*arguments, config=None):
    environment = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", XDG_CONFIG_HOME=config or tempfile.mkdtemp())
    run = subprocess.run([XVFB, "-a", "-s", "-screen 0 1600x1200x24", DESKTOP, "--now", NOW, *arguments], capture_output=True, text=True, timeout=120, env=environment)
    return run.returncode, run.stdout, run.stderr


def view(scenario, language):
    """What the command line says the tables hold."""
    run = subprocess.run([CLI, "tiers", "-", "--format", "view", "--lang", language, "--now", NOW], input=json.dumps(scenario), capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def lines(view):
    out = []
    for table in view["tables"]:
        for row in table["rows"]:
            out.append(" | ".join([table["id"]] + [cell["text"] + (" " + cell["unit"] if "unit" in cell else "") for cell in row["cells"]]))
        if not table["rows"]:
            out.append(table["id"] + " | " + table["empty"])
    return out


class Desktop(unittest.TestCase):
    def test_draws_the_rows_that_the_command_line_prints(self):
        for language in ("en", "zh"):
            for scenario in SCENARIOS:
                with self.subTest(language=language, scenario=scenario):
                    expected = view(scenario, language)
                    code, out, err = app("--dump", "--lang", language, "--link", expected["link"])
                    self.assertEqual(code, 0, err)
                    drawn = out.splitlines()
                    self.assertEqual(drawn[:-1], lines(expected))
                    self.assertEqual(drawn[-1], "link " + expected["link"], "the link that is copied is the link that was opened")

    def test_says_what_a_broken_link_lost_and_keeps_the_tables(self):
        code, out, _ = app("--dump", "--lang", "en", "--link", "not a link")
        self.assertEqual(code, 0)
        self.assertIn("error This is not a gpuplan link", out)
        self.assertEqual(out.splitlines()[: len(lines(view({}, "en")))], lines(view({}, "en")))

    def test_rests_when_nothing_happens(self):
        code, out, err = app("--lang", "en", "--seconds", "4")
        self.assertEqual(code, 0, err)
        frames = int(out.split()[-1])
        self.assertGreater(frames, 0)
        self.assertLess(frames, 40, "redraws on events only; 4 seconds at a display's rate would be 240 frames")

    def test_starts_whatever_the_settings_file_holds(self):
        for content in ("", "{", "[]", '{"width": -5, "x": "a", "dark": 7}', '{"width": 99999999999}', "x" * 10000):
            with tempfile.TemporaryDirectory() as config:
                folder = pathlib.Path(config, "gpuplan")
                folder.mkdir()
                (folder / "desktop.json").write_text(content)
                code, out, err = app("--lang", "en", "--seconds", "0.5", config=config)
                self.assertEqual(code, 0, f"{content[:40]!r}: {err}")

    def test_writes_a_picture_of_an_open_row(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "shot.bmp")
            code, _, err = app("--lang", "en", "--open-row", "1", "--screenshot", path)
            self.assertEqual(code, 0, err)
            pixels = pathlib.Path(path).read_bytes()[200:]
            self.assertGreater(len(set(pixels[::97])), 20, "the picture is not one colour")


if __name__ == "__main__":
    unittest.main()
