import assert from "node:assert/strict";
import { test } from "node:test";
import type { Language } from "../../web/protocol.ts";
import { arrived, cliLink, cliView, control, expectedTables, localeOf, open, readTables, settled, stage } from "./page.ts";

const { server, browser } = await stage();

const scenarios: Readonly<Record<string, object>> = {
  "the defaults": {},
  "long contexts for many users": { task: "inference", workload: { context: 32768, concurrency: 64 } },
  "LoRA": { task: "lora" },
  "QLoRA in Chinese clouds, in yuan": { task: "qlora", policy: { regions: ["china"], currency: "CNY" } },
  "full fine-tuning, fastest first": { task: "full-finetune", policy: { objective: "throughput" } },
  "pre-training": { task: "pretraining" },
  "one model, no headroom": { model: { id: "meta-llama/Llama-3.1-8B" }, task: "inference", policy: { headroom: 0 } },
  "a budget that nothing meets": { task: "inference", policy: { max_usd_per_hour: 0.01 } },
};
const languages: Language[] = ["en", "zh"];

for (const [name, scenario] of Object.entries(scenarios)) {
  for (const lang of languages) {
    test(`every cell of the tables is what the command line says: ${name}, ${lang}`, async () => {
      const { page, faults } = await open(browser, server.address + cliLink(scenario), { locale: localeOf(lang) });
      const shown = await readTables(page);
      assert.equal(shown.length, 4);
      assert.deepEqual(shown, expectedTables(cliView(scenario, lang)));
      assert.deepEqual(faults, []);
      await page.context().close();
    });
  }
}

test("the first screen needs no scenario at all", async () => {
  const { page } = await open(browser, server.address);
  assert.deepEqual(await readTables(page), expectedTables(cliView({}, "en")));
  await page.context().close();
});

test("a control changes the tables, the language changes the words", async () => {
  const { page } = await open(browser, server.address);
  await control(page, "task").locator("select").selectOption("lora");
  await arrived(page, "lora");
  assert.deepEqual(await readTables(page), expectedTables(cliView({ task: "lora" }, "en")));
  await page.getByRole("button", { name: "中文" }).click();
  await page.waitForFunction(() => document.documentElement.lang === "zh-CN");
  await settled(page);
  assert.deepEqual(await readTables(page), expectedTables(cliView({ task: "lora" }, "zh")));
  await page.context().close();
});
