"""Ten ordinary jobs: what anybody who knows the field would find absurd in their tables must not be there."""
import datetime
import json
import sys
import unittest

from command import NOW, Done

LLAMA8, LLAMA70, QWEN7 = ({"id": id} for id in ("meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.3-70B-Instruct", "Qwen/Qwen2.5-7B"))
JOBS = {
    "chat 7B": {"model": QWEN7, "task": "inference"},
    "chat 70B, first word in 2 s": {"model": LLAMA70, "task": "inference", "workload": {"concurrency": 32}, "policy": {"max_ttft_s": 2}},
    "70B as quick as can be": {"model": LLAMA70, "task": "inference", "workload": {"concurrency": 1}, "policy": {"objective": "latency"}},
    "long context": {"model": LLAMA8, "task": "inference", "workload": {"context": 131072, "input_tokens": 100000, "output_tokens": 1000, "concurrency": 4}},
    "20,000 tokens/s of an 8B": {"model": LLAMA8, "task": "inference", "workload": {"concurrency": 256}, "policy": {"min_tokens_per_s": 20000}},
    "large mixture of experts": {"model": {"id": "Qwen/Qwen3-235B-A22B"}, "task": "inference", "workload": {"concurrency": 64}},
    "LoRA of an 8B below $3/h": {"model": LLAMA8, "task": "lora", "workload": {"tokens": 1e8}, "policy": {"max_usd_per_hour": 3}},
    "QLoRA of a 70B": {"model": LLAMA70, "task": "qlora", "workload": {"tokens": 1e8}},
    "full tuning of a 70B": {"model": LLAMA70, "task": "full-finetune", "workload": {"tokens": 1e9}},
    "pre-training of an 8B in a month": {"model": LLAMA8, "task": "pretraining", "workload": {"sequence": 8192, "global_batch": 512, "tokens": 1e12}, "policy": {"deadline_hours": 720}},
}
TOP = 10


def options(job):
    return Done("plan", "-", "--now", NOW, "--top", str(TOP), text=json.dumps(JOBS[job])).json()["options"]


def gpus(option):
    return option["gpus_per_node"] * option["nodes"]


class OrdinaryJobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = {job: options(job) for job in JOBS}

    def test_each_has_options_that_keep_the_headroom(self):
        for job, rows in self.rows.items():
            self.assertTrue(rows, job)
            for row in rows:
                self.assertGreaterEqual(row["memory"]["free_fraction"], 0.2 - 1e-9, job)

    def test_no_offer_without_a_price_stands_before_one_with_a_price_when_cost_counts(self):
        for job, rows in self.rows.items():
            if JOBS[job].get("policy", {}).get("objective", "cost") == "cost":
                known = [row["cost"]["usd_per_hour"] is not None for row in rows]
                self.assertEqual(known, sorted(known, reverse=True), job)

    def test_no_price_on_top_is_older_than_a_year(self):
        for job, rows in self.rows.items():
            date = rows[0]["cost"]["price_date"]
            if date:
                self.assertLess((datetime.date.fromisoformat(NOW) - datetime.date.fromisoformat(date)).days, 366, job)

    def test_a_7b_chat_needs_no_large_machine(self):
        self.assertLessEqual(gpus(self.rows["chat 7B"][0]), 2)
        self.assertLess(self.rows["chat 7B"][0]["cost"]["usd_per_hour"], 2)

    def test_the_quickest_70b_runs_over_a_fabric_and_not_over_pcie(self):
        for row in self.rows["70B as quick as can be"][:5]:
            self.assertNotIn("pcie", row["gpu"])

    def test_a_70b_is_not_tuned_in_full_on_one_small_node_without_offload(self):
        for row in self.rows["full tuning of a 70B"]:
            room = gpus(row) * row["memory"]["usable_bytes"] / 70.6e9  # bytes per parameter
            self.assertTrue(room > 12 or row["layout"]["offload"] != "none", row["instance"])

    def test_limits_are_kept(self):
        for row in self.rows["chat 70B, first word in 2 s"]:
            self.assertLessEqual(row["time"]["ttft_s"], 2)
        for row in self.rows["20,000 tokens/s of an 8B"]:
            self.assertGreaterEqual(row["throughput"]["tokens_per_s"], 20000)
        for row in self.rows["LoRA of an 8B below $3/h"]:
            self.assertLessEqual(row["cost"]["usd_per_hour"], 3)
        for row in self.rows["pre-training of an 8B in a month"]:
            self.assertLessEqual(row["time"]["total_s"], 720 * 3600)

    def test_pre_training_takes_a_cluster_and_a_credible_share_of_its_peak(self):
        for row in self.rows["pre-training of an 8B in a month"]:
            self.assertGreaterEqual(gpus(row), 16)
            self.assertTrue(0.1 < row["throughput"]["mfu"] < 0.75, row["throughput"]["mfu"])

    def test_qlora_of_a_70b_costs_a_fraction_of_its_full_tuning(self):
        qlora, full = self.rows["QLoRA of a 70B"][0], self.rows["full tuning of a 70B"][0]
        self.assertLess(qlora["cost"]["total_usd"], full["cost"]["total_usd"])

    def test_the_pareto_front_holds_the_winner_and_is_no_list_of_everything(self):
        for job, rows in self.rows.items():
            self.assertTrue(rows[0]["pareto"], job)
            self.assertLess(sum(row["pareto"] for row in rows), TOP, job)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
