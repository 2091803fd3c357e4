/** Models and machines that a person brings: by drop, file, paste and id; what is wrong with them is said, and nothing is asked of anyone unasked. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, openSync, ftruncateSync, closeSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { cli, open, readTables, settled, stage } from "./page.ts";

const folder = mkdtempSync(join(tmpdir(), "gpuplan-bring-"));
const config = { model_type: "llama", hidden_size: 2048, num_hidden_layers: 16, num_attention_heads: 32, num_key_value_heads: 8, intermediate_size: 8192, vocab_size: 128256,
  max_position_embeddings: 131072, tie_word_embeddings: true };

const { server, browser } = await stage();

const openDialog = (page: Page): Promise<void> => page.locator(".tools button").first().click();
const figure = (page: Page, label: string) => page.locator(".inspected .figure-list > div").filter({ hasText: label }).locator("dd");
const choose = async (page: Page, path: string | string[]): Promise<void> => page.locator('.bring input[type="file"]').setInputFiles(path);

/** Drops a small file anywhere on the page, as a hand would. */
const drop = (page: Page, name: string, text: string): Promise<void> => page.evaluate(([fileName, content]) => {
  const data = new DataTransfer();
  data.items.add(new File([content!], fileName!));
  for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}, [name, text]);

const stringBytes = (text: string): Buffer => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
  return Buffer.concat([length, Buffer.from(text)]);
};
const u32 = (n: number): Buffer => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
const u64 = (n: number): Buffer => { const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt(n)); return b; };

/** A GGUF (version 3) of a llama with a tokenizer list of 15 MB, longer than one request may be, padded by holes to its size. */
function sparseGguf(path: string): void {
  const keys: [string, number][] = [["block_count", 32], ["embedding_length", 4096], ["feed_forward_length", 14336], ["attention.head_count", 32], ["attention.head_count_kv", 8], ["context_length", 8192], ["vocab_size", 128256]];
  const tokens = Array.from({ length: 128256 }, (_, n) => stringBytes(`token${n}`.padEnd(110, "x")));
  const metadata = [Buffer.concat([stringBytes("general.architecture"), u32(8), stringBytes("llama")]), ...keys.map(([name, value]) => Buffer.concat([stringBytes(`llama.${name}`), u32(4), u32(value)])),
    Buffer.concat([stringBytes("tokenizer.ggml.tokens"), u32(9), u32(8), u64(tokens.length), ...tokens])];
  const shapes: [string, number[]][] = [["token_embd.weight", [4096, 128256]], ["output.weight", [4096, 128256]], ["output_norm.weight", [4096]]];
  for (let n = 0; n < 32; ++n) {
    const each: [string, number[]][] = [["attn_norm", [4096]], ["ffn_norm", [4096]], ["attn_q", [4096, 4096]], ["attn_k", [4096, 1024]], ["attn_v", [4096, 1024]], ["attn_output", [4096, 4096]],
      ["ffn_gate", [4096, 14336]], ["ffn_up", [4096, 14336]], ["ffn_down", [14336, 4096]]];
    for (const [name, shape] of each) shapes.push([`blk.${n}.${name}.weight`, shape]);
  }
  let offset = 0;
  const tensors = shapes.map(([name, shape]) => {
    const entry = Buffer.concat([stringBytes(name), u32(shape.length), ...shape.map(u64), u32(1), u64(offset)]); // type 1: F16
    offset += 2 * shape.reduce((product, n) => product * n, 1);
    return entry;
  });
  const header = Buffer.concat([Buffer.from("GGUF"), u32(3), u64(shapes.length), u64(metadata.length), ...metadata, ...tensors]);
  const file = openSync(path, "w");
  writeSync(file, header);
  ftruncateSync(file, Math.ceil(header.length / 32) * 32 + offset);
  closeSync(file);
}

test("a 16 GB GGUF opens at once, and its weights are those of the file", async () => {
  const path = join(folder, "llama-f16.gguf");
  sparseGguf(path);
  const { page, faults } = await open(browser, server.address);
  await openDialog(page);
  const start = performance.now();
  await choose(page, path);
  await page.locator(".inspected").waitFor();
  console.log(`16 GB GGUF: ${Math.round(performance.now() - start)} ms`);
  assert.equal(await figure(page, "Parameters").innerText(), "8.03 B");
  assert.equal(await figure(page, "Weights in the file").innerText(), "15.0 GiB");
  assert.equal(await figure(page, "KV cache per token").innerText(), "128 KiB");
  await page.locator(".inspected .primary").click();
  await page.waitForFunction(() => location.hash.includes("ma="));
  await settled(page);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a dropped config.json is read, used, travels in the link, and is kept until it is forgotten", async () => {
  const { page } = await open(browser, server.address);
  const before = await readTables(page);
  await drop(page, "config.json", JSON.stringify(config));
  await page.locator(".inspected").waitFor();
  assert.equal(await figure(page, "Parameters").innerText(), "1.24 B");
  await page.locator(".inspected .primary").click();
  await page.waitForFunction(() => location.hash.includes("ma="));
  await settled(page);
  const tables = await readTables(page);
  assert.notDeepEqual(tables, before);
  assert.ok(tables[0]?.subtitle.startsWith("your model"), tables[0]?.subtitle);
  const fresh = await open(browser, page.url());
  assert.deepEqual(await readTables(fresh.page), tables);
  await fresh.page.context().close();
  await page.reload();
  await settled(page);
  await openDialog(page);
  await page.locator(".recent li").first().waitFor();
  await page.locator(".recent li .plain").first().click();
  await page.reload();
  await openDialog(page);
  assert.equal(await page.locator(".recent li").count(), 0);
  await page.context().close();
});

test("a pasted configuration opens the view, typing braces into a field does not", async () => {
  const { page } = await open(browser, server.address);
  const paste = (selector: string): Promise<void> => page.evaluate(([where, text]) => {
    const data = new DataTransfer();
    data.setData("text/plain", text!);
    document.querySelector(where!)?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, [selector, JSON.stringify(config)]);
  await paste(".line input");
  assert.equal(await page.locator(".bring[open]").count(), 0);
  await paste("main");
  await page.locator(".bring[open] .inspected").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".bring[open]").waitFor({ state: "detached" }).catch(() => undefined);
  assert.equal(await page.locator(".bring[open]").count(), 0);
  await page.context().close();
});

test("a measured profile is computed with, and the way back is a control", async () => {
  const probe = process.env["GPUPLAN_PROBE"] ?? "build/dev/tests/probe/gpuplan-probe-sim";
  const path = join(folder, "profile.json");
  execFileSync(probe, ["--quick", "--only", "memory,gemm-bf16", "-o", path]);
  const { page } = await open(browser, server.address);
  const before = await readTables(page);
  await openDialog(page);
  await choose(page, path);
  await page.locator(".inspected .primary").click();
  await page.waitForFunction(() => location.hash.includes("prof="));
  await settled(page);
  const scenario = { task: "inference", hardware: { profile: JSON.parse(readFileSync(path, "utf8")) } };
  const expected = JSON.parse(cli(["tiers", "-", "--format", "json"], scenario)) as { tiers: { rows: { gpu: string }[] }[] };
  assert.deepEqual((await readTables(page)).map((table) => table.rows.length), expected.tiers.map((tier) => tier.rows.length));
  await page.locator('.line [data-control="machine"] select').selectOption("");
  await page.waitForFunction(() => !location.hash.includes("prof="));
  await settled(page);
  assert.deepEqual(await readTables(page), before);
  await page.context().close();
});

test("what is no model gets one sentence each, and the tables stay", async () => {
  const { page } = await open(browser, server.address);
  const before = await readTables(page);
  await openDialog(page);
  const bad: Record<string, Buffer | string> = {
    "empty.json": "", "broken.json": "{", "list.json": "[1,2,3]", "nested.json": "[".repeat(1_000_000), "other.json": '{"hello": "world"}', "noise.gguf": Buffer.from("GGUF\u0003\0\0\0ÿÿÿÿÿÿÿÿ", "latin1"),
    "picture.png": Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "empty.gguf": "", "markup.json": '{"model_type": "<img src=x onerror=alert(1)>"}',
  };
  for (const [name, content] of Object.entries(bad)) {
    const path = join(folder, name);
    writeFileSync(path, content);
    await choose(page, path);
    const said = page.locator(".bring .problem");
    await said.filter({ hasText: /./ }).waitFor();
    await page.locator('.bring-result[aria-busy="false"]').waitFor();
    assert.equal(await page.locator(".inspected").count(), 0, name);
    assert.ok((await said.innerText()).length < 600, name);
  }
  await page.keyboard.press("Escape");
  assert.deepEqual(await readTables(page), before);
  await page.context().close();
});

test("a hub is asked only when its button is pressed, and each of its refusals is explained", async () => {
  const { page, requests } = await open(browser, server.address);
  let status = 200;
  await page.context().route("https://huggingface.co/**", (route) => status === 0 ? route.abort()
    : route.fulfill({ status, headers: { "access-control-allow-origin": "*" }, body: status === 200 ? JSON.stringify(config) : "no" }));
  await openDialog(page);
  const [id, lookUp, fetchIt] = [page.locator(".way-id input"), page.locator(".way-id button[type=submit]"), page.locator(".fetch .button")];
  await id.fill("Qwen/Qwen2.5-7B");
  await lookUp.click();
  await page.locator(".inspected").waitFor();
  assert.deepEqual(requests.filter((address) => !address.startsWith(server.address)), []);
  await id.fill("someone/some-model");
  await fetchIt.click();
  await page.waitForFunction(() => document.querySelector(".inspected dd")?.textContent?.startsWith("1.24"));
  assert.deepEqual(requests.filter((address) => !address.startsWith(server.address)), ["https://huggingface.co/someone/some-model/raw/main/config.json"]);
  for (const [answer, words] of [[404, "has no config.json"], [403, "signed-in"], [500, "status 500"], [0, "could not be reached"]] as const) {
    status = answer;
    await fetchIt.click();
    await page.locator(".bring .problem").filter({ hasText: words }).waitFor();
  }
  await id.fill("../../etc/passwd");
  await fetchIt.click();
  await page.locator(".bring .problem").filter({ hasText: "organisation/model" }).waitFor();
  await page.context().close();
});
