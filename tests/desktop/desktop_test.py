"""The desktop app draws what the command line prints: same rows, same links, in both languages; an idle window draws nothing."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import xvfb

APP, CLI, PROBE = sys.argv[1:4]
NOW = "2026-12-01"
SCENARIOS = {
    "nothing said": {"task": "inference"},
    "a model with a latency limit, in yuan": {"task": "inference", "model": {"id": "Qwen/Qwen2.5-7B"}, "policy": {"max_ttft_s": 0.5, "currency": "CNY"}},
    "QLoRA in China": {"task": "qlora", "policy": {"regions": ["china"]}},
    "pre-training of small models": {"task": "pretraining", "policy": {"tiers": "classic", "objective": "throughput"}},
    "nothing fits": {"task": "full-finetune", "policy": {"max_usd_per_hour": 0.01}},
}


def run(*command, env=None, text=None):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=env, input=text)
    return done.returncode, done.stdout, done.stderr


def printed_rows(scenario, lang):
    """What the command line says of the view that both draw, in the shape of --dump."""
    code, out, err = run(CLI, "tiers", "-", "--format", "view", "--lang", lang, "--now", NOW, text=json.dumps(scenario))
    assert code == 0, err
    lines = []
    view = json.loads(out)
    for table in view["tables"]:
        lines.append("\t".join(["table", table["title"], table.get("subtitle", ""), table.get("summary", "")]))
        for row in table["rows"]:
            lines.append("\t".join(["row"] + [cell_text(cell) for cell in row["cells"]]))
        if not table["rows"]:
            lines.append("empty\t" + table["empty"])
    return lines, view


def cell_text(cell):
    unit, sub = cell.get("unit", ""), cell.get("sub", "")
    return cell["text"] + (f" {unit}" if unit else "") + (f" | {sub}" if sub else "")


class Desktop(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.env = {**screen.env, "XDG_CONFIG_HOME": self.home.name}

    def tearDown(self):
        self.home.cleanup()

    def app(self, *arguments):
        code, out, err = run(APP, "--now", NOW, *arguments, env=self.env)
        self.assertEqual(code, 0, err)
        return out.splitlines()

    def settings(self):
        return pathlib.Path(self.home.name, "gpuplan", "desktop.json")

    def test_draws_the_rows_that_the_command_line_prints(self):
        for name, scenario in SCENARIOS.items():
            link = run(CLI, "share", "-", text=json.dumps(scenario))[1].strip()
            for lang in ("en", "zh"):
                with self.subTest(name, lang=lang):
                    rows, view = printed_rows(scenario, lang)
                    drawn = self.app("--dump", "--lang", lang, "--link", "https://example.org/gpuplan/" + link)
                    self.assertEqual([line for line in drawn if line.split("\t")[0] in ("table", "row", "empty")], rows)
                    self.assertIn("link\t" + view["link"], drawn)
                    self.assertEqual(view["link"], link)

    def test_opens_a_row_whose_link_is_the_plan(self):
        view = printed_rows({"task": "inference"}, "en")[1]
        drawn = self.app("--dump", "--open-row", "1")
        link = next(line for line in drawn if line.startswith("row-link\t")).split("\t")[1]
        self.assertEqual(run(CLI, "open", link)[1], run(CLI, "open", view["tables"][0]["rows"][0]["link"])[1])

    def test_a_broken_link_is_said_and_the_tables_stay(self):
        drawn = self.app("--dump", "--link", "this is no link")
        self.assertTrue(any(line.startswith("banner\t") for line in drawn))
        self.assertEqual([line for line in drawn if line.startswith("row\t")], [line for line in printed_rows({"task": "inference"}, "en")[0] if line.startswith("row\t")])

    @unittest.skipUnless(PROBE, "no simulated machine was built")
    def test_a_dropped_profile_or_model_is_computed_with_and_anything_else_is_said(self):
        folder = pathlib.Path(self.home.name)
        profile = folder / "profile.json"
        code, _, err = run(PROBE, "--quick", "--only", "memory,gemm-bf16", "-o", str(profile))
        self.assertEqual(code, 0, err)
        scenario = {"task": "inference", "hardware": {"profile": json.loads(profile.read_text())}}
        rows = [line for line in printed_rows(scenario, "en")[0] if line.startswith("row\t")]
        self.assertTrue(rows)
        self.assertEqual([line for line in self.app("--dump", "--open", str(profile)) if line.startswith("row\t")], rows)
        model = folder / "config.json"
        model.write_text(json.dumps({"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 16, "num_key_value_heads": 4,
                                     "intermediate_size": 4096, "vocab_size": 32000, "max_position_embeddings": 8192}))
        self.assertTrue(any(line.startswith("link\t") and "architecture" not in line and len(line) > 100 for line in self.app("--dump", "--open", str(model))))
        model.write_text("[]")
        drawn = self.app("--dump", "--open", str(model))
        self.assertTrue(any(line.startswith("banner\t") and "config.json" in line for line in drawn))
        self.assertEqual([line for line in drawn if line.startswith("row\t")], [line for line in printed_rows({"task": "inference"}, "en")[0] if line.startswith("row\t")])

    def test_an_idle_window_draws_nothing(self):
        def frames(milliseconds):
            return int(self.app("--quit-after", str(milliseconds))[-1].split("\t")[1])
        short, long = frames(700), frames(2500)
        self.assertLess(short, 30)
        self.assertLessEqual(abs(long - short), 8, "frames must not grow with time")

    def test_remembers_its_window_and_survives_broken_settings(self):
        self.app("--quit-after", "400", "--size", "900x650")
        self.assertEqual([json.loads(self.settings().read_text())[key] for key in ("width", "height")], [900, 650])
        for broken in ("{", "[1]", '{"width": -5, "height": "tall", "x": 1e99}', "\0" * 70000):
            self.settings().write_text(broken)
            self.app("--quit-after", "400")
            self.assertEqual(json.loads(self.settings().read_text())["width"], 1280)

    def test_without_a_chinese_font_it_stays_english(self):
        folder = pathlib.Path("/usr/share/fonts/truetype/dejavu")
        if not folder.is_dir():
            self.skipTest("no DejaVu fonts")
        config = pathlib.Path(self.home.name, "fonts.conf")
        config.write_text(f'<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>{folder}</dir><cachedir>{self.home.name}</cachedir></fontconfig>')
        self.env["FONTCONFIG_FILE"] = str(config)
        self.assertEqual(self.app("--dump", "--lang", "zh"), self.app("--dump", "--lang", "en"))

    def test_bad_arguments_are_refused(self):
        for arguments in (["--size", "0x0"], ["--lang", "fr"], ["--now", "yesterday"], ["--open-row", "0"]):
            self.assertEqual(run(APP, *arguments, env=self.env)[0], 2, arguments)

    @unittest.skipUnless(shutil.which("xdotool"), "no xdotool")
    def test_keys_copy_a_link_and_another_window_pastes_it(self):
        link = run(CLI, "share", "-", text=json.dumps(SCENARIOS["QLoRA in China"]))[1].strip()
        first = subprocess.Popen([APP, "--now", NOW, "--link", link, "--quit-after", "9000"], env=self.env, stdout=subprocess.DEVNULL)
        self.press("ctrl+c", first)
        second = subprocess.Popen([APP, "--now", NOW, "--dump", "--quit-after", "6000"], env=self.env, stdout=subprocess.PIPE, text=True)
        self.press("ctrl+v", second)
        out = second.communicate(timeout=30)[0]
        first.wait(timeout=30)
        self.assertIn("link\t" + link, out.splitlines())

    def press(self, keys, process):
        window = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--pid", str(process.pid)], env=self.env, capture_output=True, text=True, timeout=20).stdout.split()[-1]
        time.sleep(0.8)
        subprocess.run(["xdotool", "windowfocus", "--sync", window, "key", "--delay", "80", keys], env=self.env, check=True, timeout=20)
        time.sleep(0.5)


if __name__ == "__main__":
    may_skip = os.environ.get("GPUPLAN_SKIPS") != "fail"
    if not xvfb.available():
        print("desktop_test: skipped: there is no Xvfb (Debian: apt-get install xvfb), or run tools/install-deps")
        sys.exit(77 if may_skip else 1)
    screen = xvfb.Screen()
    try:
        outcome = unittest.main(argv=[sys.argv[0], *sys.argv[4:]], exit=False).result
    finally:
        screen.close()
    sys.exit(not outcome.wasSuccessful() or (bool(outcome.skipped) and not may_skip))
