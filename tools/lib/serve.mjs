// A static file server for one folder, on this machine only: node serve.mjs FOLDER PORT. Port 0, or a port that is taken, becomes a free one.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const types = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json",
  ".webmanifest": "application/manifest+json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon",
  ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8", ".map": "application/json",
};

/** The file that a request path means inside `folder`, or undefined when there is none. */
export function fileFor(folder, requestPath) {
  let path;
  try {
    path = decodeURIComponent(requestPath.split(/[?#]/)[0]);
  } catch {
    return undefined;
  }
  if (path.includes("\0")) return undefined;
  const file = join(folder, normalize("/" + path), path.endsWith("/") ? "index.html" : "");
  if (file !== folder && !file.startsWith(folder + sep)) return undefined;
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

export function serve(folder) {
  const root = resolve(folder);
  return createServer((request, response) => {
    const file = ["GET", "HEAD"].includes(request.method) ? fileFor(root, request.url) : undefined;
    if (!file) return response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream", "cache-control": "no-cache", "x-content-type-options": "nosniff",
    });
    if (request.method === "HEAD") return response.end();
    createReadStream(file).on("error", () => response.destroy()).pipe(response);
  });
}

function listen(server, port) {
  server.once("error", (error) => {
    if (error.code !== "EADDRINUSE") throw error;
    listen(server, port < 65535 ? port + 1 : 0);
  });
  server.listen(port, "127.0.0.1", () => {
    console.log(`gpuplan is at http://localhost:${server.address().port}/`);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) listen(serve(process.argv[2]), Number(process.argv[3] ?? 8080));
