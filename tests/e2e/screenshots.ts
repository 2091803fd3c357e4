/** Takes the matrix of pictures that a person looks at before a change of the page lands. Arguments: built page, folder for the pictures. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launch } from "./browser.ts";
import { serve } from "./serve.ts";

const [built = "dist", out = "out/shots"] = process.argv.slice(2);
const widths = [390, 820, 1440];
const schemes = ["light", "dark"] as const;
const languages = ["en-US", "zh-CN"];
const config = JSON.stringify({ model_type: "mistral", hidden_size: 4096, intermediate_size: 14336, num_hidden_layers: 32, num_attention_heads: 32, num_key_value_heads: 8, vocab_size: 32768 });

await mkdir(out, { recursive: true });
const server = await serve(built);
const browser = await launch();
for (const width of widths) {
  for (const colorScheme of schemes) {
    for (const locale of languages) {
      const name = join(out, `${width}-${colorScheme}-${locale.slice(0, 2)}`);
      const context = await browser.newContext({ viewport: { width, height: width < 700 ? 844 : 960 }, colorScheme, locale, deviceScaleFactor: width < 700 ? 2 : 1 });
      const page = await context.newPage();
      await page.goto(server.address);
      await page.locator(".row").first().waitFor();
      await page.screenshot({ path: `${name}.png` });
      await page.locator(".row-button").first().click();
      await page.locator(".detail").waitFor();
      await page.screenshot({ path: `${name}-open.png`, fullPage: true });
      await page.locator(".row-button").first().click();
      await page.locator(".tools .plain").first().click();
      await page.locator(".bring").waitFor();
      await page.screenshot({ path: `${name}-bring.png` });
      await page.locator(".way-text textarea").fill(config);
      await page.locator(".way-text button").click();
      await page.locator(".inspected").waitFor();
      await page.screenshot({ path: `${name}-brought.png` });
      await page.locator(".way-text textarea").fill('{"hidden_size": "wide"}');
      await page.locator(".way-text button").click();
      await page.locator(".bring-result .problem").waitFor();
      await page.screenshot({ path: `${name}-refused.png` });
      await context.close();
    }
  }
}
await browser.close();
server.close();
console.log(`${out}: ${widths.length * schemes.length * languages.length * 5} pictures`);
