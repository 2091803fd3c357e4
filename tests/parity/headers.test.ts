/** The header readers against those of Hugging Face: the same files, the same tensors, types and sizes. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, openSync, ftruncateSync, writeSync, closeSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { GGMLQuantizationType, gguf } from "@huggingface/gguf";
import { parseSafetensorsMetadata } from "@huggingface/hub";
import { ggufHeader, safetensorsHeader } from "./weight_files.ts";

const cli = process.env["GPUPLAN_CLI"] ?? join(import.meta.dirname, "../../build/dev/native/cli/gpuplan");
const folder = mkdtempSync(join(tmpdir(), "gpuplan-headers-"));
after(() => {
  rmSync(folder, { recursive: true });
});

interface Inspected {
  parameters: { total: number };
  file: { version: number; big_endian: boolean; tensors: number; elements: number; tensor_bytes: number; bytes_by_type: Record<string, number> };
  architecture: { hidden: number; kinds: unknown[] };
}

/** A file that begins with `bytes` and is `size` bytes long without taking that much room. */
function sparseFile(name: string, bytes: Uint8Array, size: number): string {
  const path = join(folder, name);
  const file = openSync(path, "w");
  writeSync(file, bytes);
  ftruncateSync(file, size);
  closeSync(file);
  return path;
}

const inspect = (path: string): Inspected => JSON.parse(execFileSync(cli, ["inspect", path, "--json"], { encoding: "utf8" })) as Inspected;

const types = Object.entries(GGMLQuantizationType).filter((entry): entry is [string, number] => typeof entry[1] === "number");

for (const [name, type] of types) {
  test(`a GGUF file of ${name} reads to the same tensors in every version and byte order`, async () => {
    for (const version of [1, 2, 3] as const) {
      for (const bigEndian of [false, true]) {
        const path = sparseFile(`${name}-${version}-${bigEndian ? "be" : "le"}.gguf`, ggufHeader({ version, bigEndian, type }), 8_000_000);
        const theirs = await gguf(path, { allowLocalFile: true });
        const ours = inspect(path);
        const elements = theirs.tensorInfos.reduce((sum, t) => sum + t.shape.reduce((a, b) => a * Number(b), 1), 0);
        assert.equal(ours.file.version, version);
        assert.equal(ours.file.big_endian, bigEndian);
        assert.equal(ours.file.tensors, theirs.tensorInfos.length);
        assert.equal(ours.file.elements, elements);
        assert.equal(ours.parameters.total, elements);
        assert.equal(ours.architecture.hidden, Number((theirs.metadata as Record<string, unknown>)["llama.embedding_length"]));
        const named = new Set(theirs.tensorInfos.map((t) => String(GGMLQuantizationType[t.dtype]).toLowerCase()));
        assert.deepEqual(new Set(Object.keys(ours.file.bytes_by_type)), named);
      }
    }
  });
}

test("a safetensors file reads to the same tensors, elements and bytes", async () => {
  const { bytes, fileBytes } = safetensorsHeader({ F64: 64, F32: 32, F16: 16, BF16: 16, F8_E4M3: 8, F8_E5M2: 8, I64: 64, I32: 32, I16: 16, I8: 8, U8: 8, BOOL: 8 });
  const path = sparseFile("model.safetensors", bytes, fileBytes);
  const answer = (range: string | null): Response => {
    const [from, to] = (range ?? `bytes=0-${fileBytes - 1}`).replace("bytes=", "").split("-").map(Number);
    const end = Math.min(to ?? fileBytes - 1, fileBytes - 1);
    const body = new Uint8Array(end - (from ?? 0) + 1);
    body.set(bytes.subarray(from ?? 0, end + 1));
    return new Response(body, { status: 206, headers: { "Content-Range": `bytes ${from ?? 0}-${end}/${fileBytes}`, "Content-Length": String(body.length), ETag: '"x"' } });
  };
  const theirs = await parseSafetensorsMetadata({
    repo: "gpuplan/test",
    path: "model.safetensors",
    fetch: (async (_url: unknown, options?: RequestInit) => answer(new Headers(options?.headers).get("Range"))) as typeof fetch,
  });
  assert.equal(theirs.sharded, false);
  const tensors = Object.entries(theirs.header).filter(([name]) => name !== "__metadata__") as [string, { shape: number[]; data_offsets: [number, number] }][];
  const ours = inspect(path);
  assert.equal(ours.file.tensors, tensors.length);
  assert.equal(ours.file.elements, tensors.reduce((sum, [, t]) => sum + t.shape.reduce((a, b) => a * b, 1), 0));
  assert.equal(ours.file.tensor_bytes, tensors.reduce((sum, [, t]) => sum + t.data_offsets[1] - t.data_offsets[0], 0));
});

test("a file of more than 4 GB opens at once: only its header is read", () => {
  const path = sparseFile("large.gguf", ggufHeader({ version: 3, bigEndian: false, type: GGMLQuantizationType.Q4_K }), 41 * 2 ** 30);
  const start = performance.now();
  assert.equal(inspect(path).architecture.hidden, 256);
  assert.ok(performance.now() - start < 1000);
});
