/** How the page is delivered: its size, its rules against foreign content, folders, files, offline. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { arrived, built, cli, cliView, control, expectedTables, open, readTables, stage } from "./page.ts";
import { serve } from "./serve.ts";

const { server, browser } = await stage();

test("the first load transfers at most 250 kB", async () => {
  const { page } = await open(browser, server.address, { serviceWorkers: "block" });
  const transferred = server.sent();
  console.log(`first load: ${Math.round(transferred / 100) / 10} kB with Brotli`);
  assert.ok(transferred <= 250_000, `${transferred} bytes`);
  await page.context().close();
});

test("nothing is asked of anyone else, and nothing is said in the console", async () => {
  const { page, faults, requests } = await open(browser, server.address);
  await page.locator(".row-button").first().click();
  await control(page, "task").locator("select").selectOption("pretraining");
  await arrived(page, "pretraining");
  assert.deepEqual(requests.filter((address) => !address.startsWith(server.address)), []);
  assert.deepEqual(faults, []);
  assert.equal((await page.context().cookies()).length, 0);
  await page.context().close();
});

test("the page's own rules keep foreign and inline scripts out", async () => {
  const { page } = await open(browser, server.address);
  const ran = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "globalThis.inlineRan = true";
    document.body.append(script);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return "inlineRan" in globalThis;
  });
  assert.equal(ran, false);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  assert.ok(policy?.includes("default-src 'none'") && !policy.includes("unsafe-inline") && !policy.includes("'unsafe-eval'"), policy ?? "no policy");
  await page.context().close();
});

test("it works from a subfolder of a server", async () => {
  const inside = await serve(built, "/tools/gpuplan/");
  const { page, faults } = await open(browser, inside.address);
  assert.deepEqual(await readTables(page), expectedTables(cliView({}, "en")));
  assert.deepEqual(faults, []);
  await page.context().close();
  inside.close();
});

test("it works opened as a file", async () => {
  const { page, faults } = await open(browser, pathToFileURL(resolve(built, "index.html")).href);
  assert.deepEqual(await readTables(page), expectedTables(cliView({}, "en")));
  await page.locator(".row-button").first().click();
  await page.locator(".detail h3").waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("after the first visit it opens without a network", async () => {
  const { page } = await open(browser, server.address);
  await page.evaluate(async () => { await navigator.serviceWorker.ready; });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await page.reload();
  await page.locator(".tier").first().waitFor();
  assert.equal(await page.locator(".tier").count(), 4);
  await page.context().close();
});

test("a table is saved as the command line writes it", async () => {
  const { page } = await open(browser, server.address);
  const folder = mkdtempSync(join(tmpdir(), "gpuplan-"));
  const saved = async (format: string): Promise<string> => {
    const download = page.waitForEvent("download");
    await page.locator(".export").first().getByRole("button", { name: format }).click();
    const path = join(folder, (await download).suggestedFilename());
    await (await download).saveAs(path);
    return readFileSync(path, "utf8");
  };
  const csv = cli(["tiers", "-", "--format", "csv"], {}).split("\n");
  assert.deepEqual((await saved("CSV")).split("\n").filter(Boolean), csv.filter((line, index) => index === 0 || line.startsWith("le7b,")));
  const markdown = cli(["tiers", "-", "--format", "markdown"], {});
  assert.ok(markdown.startsWith((await saved("Markdown")).split("\n\n").slice(0, 3).join("\n\n")));
  assert.deepEqual(JSON.parse(await saved("JSON")), JSON.parse(cli(["tiers", "-", "--format", "json"], {})).tiers[0]);
  await page.context().close();
});

test("a changed control is answered within a quarter of a second", async () => {
  const { page } = await open(browser, server.address);
  const times: number[] = [];
  for (const users of ["8", "24", "48", "12", "64"]) {
    times.push(await page.evaluate(async (text) => {
      const input = document.querySelector<HTMLInputElement>('[data-control="concurrency"] input')!;
      const before = location.hash;
      const start = performance.now();
      input.value = text;
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      while (location.hash === before) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    }, users));
  }
  times.sort((a, b) => a - b);
  console.log(`control to tables: median ${times[2]?.toFixed(0)} ms`);
  assert.ok((times[2] ?? Infinity) <= 250, `${times}`);
  await page.context().close();
});
