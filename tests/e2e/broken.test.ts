import assert from "node:assert/strict";
import { test } from "node:test";
import { arrived, cliView, control, expectedTables, open, readTables, stage } from "./page.ts";

const { server, browser } = await stage();

for (const text of ["-5", "0", "1.5", "many", "1e999", "99999999999999999999"]) {
  test(`a context of ${text} is refused at its control while the last good tables stay`, async () => {
    const { page, faults } = await open(browser, server.address);
    const good = await readTables(page);
    const hash = await page.evaluate(() => location.hash);
    const input = control(page, "context").locator("input");
    await input.fill(text);
    const problem = page.locator(".line .problem").filter({ hasText: /./ });
    await problem.waitFor();
    assert.equal(await input.getAttribute("aria-invalid"), "true");
    assert.equal(await problem.getAttribute("id"), await input.getAttribute("aria-describedby"));
    assert.deepEqual(await readTables(page), good);
    assert.equal(await page.evaluate(() => location.hash), hash);
    await input.fill("4096");
    await arrived(page, "4096");
    assert.equal(await problem.count(), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test("another control still works while one is refused", async () => {
  const { page } = await open(browser, server.address);
  await control(page, "context").locator("input").fill("nonsense");
  await page.locator(".line .problem").filter({ hasText: /./ }).waitFor();
  await control(page, "objective").locator("select").selectOption("throughput");
  await arrived(page, "throughput");
  assert.equal(await control(page, "context").locator("input").inputValue(), "nonsense");
  assert.deepEqual(await readTables(page), expectedTables(cliView({ policy: { objective: "throughput" } }, "en")));
  await page.context().close();
});

const links: Readonly<Record<string, string>> = {
  "an unknown model": "#v1?m=no-such/model&t=lora",
  "an unknown task": "#v1?t=steal&ctx=4096",
  "a script for a model": "#v1?m=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&t=lora",
  "broken escapes": "#v1?m=%E0%A4%A&t=lora",
  "an unknown field": "#v1?nonsense=1&t=lora",
  "a version from the future": "#v99?t=lora",
  "no link at all": "#hello",
  "half a megabyte": `#v1?m=${"x".repeat(500_000)}`,
};

for (const [name, link] of Object.entries(links)) {
  test(`a link with ${name} says what is wrong and opens the rest`, async () => {
    const { page, faults } = await open(browser, server.address + link);
    let dialogs = 0;
    page.on("dialog", (dialog) => { ++dialogs; void dialog.dismiss(); });
    await page.locator(".banner").waitFor();
    assert.ok(((await page.locator(".banner li").first().textContent()) ?? "").length > 10);
    assert.equal(await page.locator(".tier").count(), 4);
    if (link.startsWith("#v1?") && link.includes("t=lora")) assert.equal(await control(page, "task").locator("select").inputValue(), "lora");
    assert.equal(dialogs, 0);
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}
