/** A static server for tests: gzip as a real one would, under a subfolder if asked, and it counts the bytes that it sent. */
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { fileFor, types } from "../../tools/lib/serve.mjs";

export interface Server { address: string; sent(): number; close(): void }

export async function serve(folder: string, under = "/"): Promise<Server> {
  let sent = 0;
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    const file = path.startsWith(under) ? fileFor(resolve(folder), path.slice(under.length - 1)) : undefined;
    if (!file) return response.writeHead(404).end();
    const body = gzipSync(await readFile(file));
    sent += body.length;
    const type = (types as Record<string, string>)[extname(file)] ?? "application/octet-stream";
    return response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}${under}`, sent: () => sent, close: () => void server.close() };
}
