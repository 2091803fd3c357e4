import assert from "node:assert/strict";
import { test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import type { Language } from "../../web/protocol.ts";
import { arrived, control, localeOf, open, stage } from "./page.ts";

const { server, browser } = await stage();

/** Violations of WCAG 2.2 A and AA, as one line each. */
async function violations(page: Page): Promise<string[]> {
  const result = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  return result.violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 160)}`));
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const lang of ["en", "zh"] as Language[]) {
    for (const width of [390, 820, 1440]) {
      test(`axe finds nothing: ${colorScheme}, ${lang}, ${width} px, with a row open`, async () => {
        const { page } = await open(browser, server.address, { colorScheme, locale: localeOf(lang), viewport: { width, height: 900 } });
        await page.locator(".row-button").first().click();
        await page.locator(".explain summary").click();
        assert.deepEqual(await violations(page), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "the page scrolls sideways");
        await page.context().close();
      });
    }
  }
}

test("axe finds nothing in the phone's sheet, in the list of clouds, with a refused number", async () => {
  const phone = await open(browser, server.address, { viewport: { width: 390, height: 844 } });
  await phone.page.locator(".folded").click();
  assert.deepEqual(await violations(phone.page), []);
  await phone.page.context().close();
  const { page } = await open(browser, server.address);
  await control(page, "context").locator("input").fill("oops");
  await page.locator(".line .problem").filter({ hasText: /./ }).waitFor();
  await control(page, "providers").locator("button").click();
  await page.locator(".more").click();
  assert.deepEqual(await violations(page), []);
  await page.context().close();
});

test("everything can be done with the keyboard", async () => {
  const { page } = await open(browser, server.address);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "MAIN");
  while (!(await page.evaluate(() => document.activeElement?.classList.contains("row-button")))) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".detail").waitFor();
  await page.keyboard.press("Space");
  await page.locator(".detail").waitFor({ state: "detached" });
  const clouds = control(page, "providers").locator("button").first();
  await clouds.focus();
  await page.keyboard.press("Enter");
  await page.locator(".boxes").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".boxes").waitFor({ state: "detached" });
  assert.ok(await clouds.evaluate((button) => button === document.activeElement));
  await control(page, "context").locator("input").focus();
  await page.keyboard.press("ArrowUp");
  await arrived(page, "9216");
  await page.context().close();
});
