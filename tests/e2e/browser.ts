/** Debian's Chromium, quiet: without its background requests, with an empty profile. */
import { chromium, type Browser, type Page } from "playwright-core";

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });

/** Everything that went wrong in a page, as it would stand in its console. */
export function faults(page: Page): string[] {
  const found: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") found.push(message.text());
  });
  page.on("pageerror", (error) => found.push(String(error)));
  page.on("requestfailed", (request) => found.push(`${request.url()} ${request.failure()?.errorText ?? ""}`));
  return found;
}
