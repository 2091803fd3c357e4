/** What the browser tests share: the built page, the command line beside it, and how to read the tables off the screen. */
import { execFileSync } from "node:child_process";
import { after } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { today } from "../../web/ask.ts";
import type { Language, View } from "../../web/protocol.ts";
import { faults, launch } from "./browser.ts";
import { serve, type Server } from "./serve.ts";

export const built = process.env["GPUPLAN_PAGE"] ?? "dist";
const commandLine = process.env["GPUPLAN_CLI"] ?? "build/dev/native/cli/gpuplan";

/** Serves the built page and starts a browser for the tests of one file; both end with them. */
export async function stage(): Promise<{ server: Server; browser: Browser }> {
  const server = await serve(built);
  after(() => server.close());
  const browser = await launch();
  after(() => browser.close());
  return { server, browser };
}

export const localeOf = (lang: Language): string => (lang === "zh" ? "zh-CN" : "en-US");

/** The command line's answer; both sides count ages from today. */
export function cli(args: string[], input?: object): string {
  return execFileSync(commandLine, args, { input: input ? JSON.stringify(input) : "", encoding: "utf8", maxBuffer: 1 << 28 });
}

export const cliView = (scenario: object, lang: Language): View =>
  JSON.parse(cli(["tiers", "-", "--format", "view", "--lang", lang, "--now", today(new Date())], scenario));
export const cliLink = (scenario: object): string => cli(["share", "-"], scenario).trim();

export interface Opened { page: Page; faults: string[]; requests: string[] }

export async function open(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ locale: "en-US", viewport: { width: 1440, height: 960 }, ...options });
  context.setDefaultTimeout(60_000);  // full fine-tuning, fastest first, searches half a million layouts
  // The test runner's compiler names functions by this helper, also those that run inside the page.
  await context.addInitScript("globalThis.__name = (named) => named");
  const page = await context.newPage();
  const found = faults(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
  await settled(page);
  return { page, faults: found, requests };
}

/** Waits until the core has answered what was asked last and the page shows it. */
export const settled = (page: Page) => page.locator('main[aria-busy="false"] .tier').first().waitFor();

/** Waits until the address says so and the tables have followed. */
export async function arrived(page: Page, part: string): Promise<void> {
  await page.waitForFunction((text) => location.hash.includes(text), part);
  await settled(page);
}

/** A table as it stands on the screen, text by text. */
export interface ShownTable { title: string; subtitle: string; summary: string; empty: string; columns: string[]; rows: ShownCell[][] }
export interface ShownCell { text: string; unit: string; sub: string; strong: boolean; weak: boolean; bar: string[]; ranged: boolean }

export const readTables = (page: Page): Promise<ShownTable[]> =>
  page.locator(".tier").evaluateAll((tiers) => {
    const words = (root: Element, selector: string): string => root.querySelector(selector)?.textContent?.trim() ?? "";
    const cell = (td: Element): ShownCell => ({
      text: words(td, ".text > .figure"), unit: words(td, ".text > .unit"), sub: words(td, ".sub"),
      strong: td.classList.contains("strong"), weak: td.classList.contains("weak"),
      bar: [...td.querySelectorAll(".part")].map((part) => (part as HTMLElement).title), ranged: td.querySelector(".range") !== null,
    });
    return tiers.map((tier) => ({
      title: words(tier, "h2"), subtitle: words(tier, ".tier-subtitle"), summary: words(tier, ".tier-summary"), empty: words(tier, ".tier-empty"),
      columns: [...tier.querySelectorAll("table.rows > thead th")].map((th) => th.textContent ?? ""),
      rows: [...tier.querySelectorAll("table.rows > tbody > .row")].map((row) => [...row.querySelectorAll(":scope > td")].map(cell)),
    }));
  });

/** The same from an answer of the core. */
export const expectedTables = (view: View): ShownTable[] =>
  view.tables.map((table) => ({
    title: table.title ?? "", subtitle: table.subtitle ?? "", summary: table.summary ?? "", empty: table.rows.length === 0 ? (table.empty ?? "") : "",
    columns: table.rows.length === 0 ? [] : table.columns.map((column) => column.label),
    rows: table.rows.map((row) => row.cells.map((cell) => ({
      text: cell.text ?? "", unit: cell.unit ?? "", sub: cell.sub ?? "", strong: cell.strong ?? false, weak: cell.weak ?? false,
      bar: (cell.bar ?? []).map((part) => `${part.label} ${part.text}`), ranged: cell.range !== undefined,
    }))),
  }));

/** The control with this id, in the sentence. */
export const control = (page: Page, id: string) => page.locator(`.line [data-control="${id}"]`);
