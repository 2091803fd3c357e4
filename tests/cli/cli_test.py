"""Bad input gets one sentence and exit status 2; good input round-trips through links, lines and formats."""
import json
import pathlib
import sys
import tempfile
import unittest

from command import NOW, Done, estimate, serving

# What is wrong, and what the sentence must name.
REFUSED = {
    "an empty file": ("", "empty"),
    "half a file": ('{"model": {"id"', "not valid JSON"),
    "a list": ("[]", "must be an object"),
    "null": ("null", "must be an object"),
    "no model": ({"task": "inference"}, "/model"),
    "no task": ({"model": {"id": "Qwen/Qwen2.5-7B"}}, "/task"),
    "an unknown model": ({"model": {"id": "Qwenn/Qwen2.5-7C"}, "task": "inference"}, "/model/id"),
    "an unknown task": (serving(task="serve"), "/task"),
    "an unknown GPU": (serving(hardware={"gpu": "h1000"}), "/hardware/gpu"),
    "an unknown instance": (serving(hardware={"instance": "aws:p55.48xlarge"}), "/hardware/instance"),
    "unknown software": (serving(software="vlm"), "/software"),
    "an unknown type": (serving(numerics={"weights": "bf61"}), "/numerics/weights"),
    "an unknown field": (serving(wrkload={}), "/wrkload"),
    "a negative number": (serving(workload={"context": -1}), "/workload/context"),
    "zero": (serving(workload={"concurrency": 0}), "/workload/concurrency"),
    "a huge number": (serving(workload={"context": 1e300}), "/workload/context"),
    "a fraction": (serving(workload={"context": 1.5}), "/workload/context"),
    "NaN": ('{"model": {"id": "Qwen/Qwen2.5-7B"}, "task": "inference", "policy": {"headroom": NaN}}', "not valid JSON"),
    "text for a number": (serving(workload={"context": "many"}), "/workload/context"),
    "a list for an object": (serving(workload=[]), "/workload"),
    "an object for text": (serving(software={}), "/software"),
    "a member twice": ('{"model": {"id": "Qwen/Qwen2.5-7B"}, "task": "inference", "task": "lora"}', "task"),
    "nested brackets": ("[" * 10_000_000, "nested"),
    "a lone surrogate": ('{"model": {"id": "\\ud800"}, "task": "inference"}', ""),
}


class BadInput(unittest.TestCase):
    def test_each_gets_one_sentence_and_status_2(self):
        for name, (scenario, named) in REFUSED.items():
            with self.subTest(name):
                done = estimate(scenario)
                self.assertEqual((done.code, done.out), (2, ""))
                self.assertEqual(len(done.err.splitlines()), 1, done.err[:500])
                self.assertIn(named, done.err)
                self.assertLess(len(done.err), 1000)

    def test_errors_as_json_name_pointer_code_and_nearest(self):
        done = estimate(serving(hardware={"gpu": "nvidia-h10"}), "--json")
        self.assertEqual(done.code, 2)
        error = json.loads(done.err)["error"]
        self.assertEqual((error["pointer"], error["code"]), ("/hardware/gpu", "unknown-id"))
        self.assertTrue(any("h100" in id for id in error["nearest"]))

    def test_missing_files_folders_and_unknown_words_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for arguments in (["estimate", f"{folder}/none.json"], ["estimate", folder], ["inspect", f"{folder}/none.gguf"], ["estimat"], [], ["tiers", "--format", "xls"],
                              ["tiers", "--lang", "fr"], ["tiers", "--now", "soon"], ["catalog", "cars"], ["open", "https://example.org/"], ["open", "#v9?m=x"]):
                with self.subTest(arguments):
                    done = Done(*arguments)
                    self.assertEqual((done.code, done.out), (2, ""), done.err)
                    self.assertTrue(done.err.strip())

    def test_a_file_larger_than_the_limit_is_refused_before_it_is_read(self):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.truncate(10 << 30)
            done = Done("estimate", file.name)
        self.assertEqual(done.code, 2)
        self.assertIn("larger than", done.err)


class Lines(unittest.TestCase):
    def test_a_bad_line_gives_an_error_in_its_place_and_the_rest_goes_on(self):
        good = json.dumps(serving(hardware={"gpu": "nvidia-l4"}))
        done = Done("estimate", "-", "--ndjson", "--now", NOW, text="\n".join([good, "{", good]) + "\n")
        answers = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual(["error" in a for a in answers], [False, True, False])
        self.assertEqual(answers[0], answers[2])

    def test_call_answers_what_the_command_answers(self):
        scenario = serving(hardware={"gpu": "nvidia-l4"})
        called = Done("call", text=json.dumps({"op": "estimate", "now": NOW, "scenario": scenario}))
        self.assertEqual(called.json(), estimate(scenario).json())


class Links(unittest.TestCase):
    def test_a_shared_scenario_opens_as_itself_and_has_one_link(self):
        scenario = {"model": {"id": "meta-llama/Llama-3.3-70B-Instruct"}, "task": "qlora", "workload": {"sequence": 2048}, "policy": {"regions": ["china"], "currency": "CNY"}}
        link = Done("share", "-", text=json.dumps(scenario)).out.strip()
        self.assertLess(len(link), 200)
        opened = Done("open", "https://example.org/x/" + link).json()
        self.assertEqual(opened, scenario)
        self.assertEqual(Done("share", "-", text=json.dumps(opened)).out.strip(), link)

    def test_a_damaged_link_keeps_what_can_be_read(self):
        done = Done("open", "#v1?m=Qwen/Qwen2.5-7B&t=inference&c=many&zzz=1")
        self.assertEqual(done.json()["model"], {"id": "Qwen/Qwen2.5-7B"})
        self.assertIn("many", done.err)


class Profiles(unittest.TestCase):
    def test_a_broken_profile_is_refused_by_every_command_that_takes_one(self):
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder, "profile.json")
            profile.write_text('{"format": "gpuplan-profile", "version": 99}')
            for arguments in (["tiers"], ["fit"]):
                done = Done(*arguments, "--profile", str(profile))
                self.assertEqual((done.code, done.out), (2, ""), arguments)
                self.assertIn("profile", done.err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
