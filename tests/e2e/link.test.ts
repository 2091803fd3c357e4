import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { arrived, control, open, readTables, settled, stage } from "./page.ts";

const { server, browser } = await stage();

const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test("a link copied in one browser opens to the same tables in another", async () => {
  const first = await open(browser, server.address, { permissions: ["clipboard-read", "clipboard-write"] });
  await control(first.page, "task").locator("select").selectOption("qlora");
  await arrived(first.page, "qlora");
  await control(first.page, "sequence").locator("input").fill("2048");
  await arrived(first.page, "2048");
  await first.page.locator(".page-head .share button").click();
  await first.page.getByRole("status").filter({ hasText: /./ }).first().waitFor({ state: "attached" });
  const second = await open(browser, await clipboard(first.page));
  assert.deepEqual(await readTables(second.page), await readTables(first.page));
  assert.equal(await control(second.page, "sequence").locator("input").inputValue(), "2048");
  await first.page.context().close();
  await second.page.context().close();
});

test("Back undoes a change, Forward does it again", async () => {
  const { page } = await open(browser, server.address);
  const before = await readTables(page);
  await control(page, "task").locator("select").selectOption("lora");
  await arrived(page, "lora");
  const changed = await readTables(page);
  assert.notDeepEqual(changed, before);
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes("lora"));
  await settled(page);
  assert.deepEqual(await readTables(page), before);
  await page.goForward();
  await arrived(page, "lora");
  assert.deepEqual(await readTables(page), changed);
  await page.context().close();
});

test("typing a number is one step of the history, not one for every key", async () => {
  const { page } = await open(browser, server.address);
  const length = await page.evaluate(() => history.length);
  const input = control(page, "context").locator("input");
  await input.fill("");
  await input.pressSequentially("16384", { delay: 60 });
  await arrived(page, "16384");
  assert.equal(await page.evaluate(() => history.length), length + 1);
  await page.context().close();
});

test("a row opens in place, Back closes it, and its own link opens the plan in full", async () => {
  const { page, faults } = await open(browser, server.address, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator(".row-button").first().click();
  await page.locator(".detail .legend").first().waitFor();
  const title = await page.locator(".detail h3").textContent();
  await page.locator(".detail .share button").click();
  await page.locator(".detail [role=status]").filter({ hasText: /./ }).waitFor({ state: "attached" });
  const plan = await open(browser, await clipboard(page));
  assert.equal(await plan.page.locator(".plan h3").textContent(), title);
  await page.goBack();
  await page.locator(".detail").waitFor({ state: "detached" });
  assert.deepEqual([...faults, ...plan.faults], []);
  await page.context().close();
  await plan.page.context().close();
});

test("an open row is still open after a reload", async () => {
  const { page } = await open(browser, server.address);
  await page.locator(".row-button").nth(1).click();
  await page.reload();
  await page.locator(".detail").waitFor();
  assert.equal(await page.locator(".row.open").count(), 1);
  await page.context().close();
});
