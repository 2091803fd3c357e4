// A static file server for one built folder, on this machine only: node serve.mjs FOLDER PORT. Port 0, or a port that is taken, becomes a free
// one. What tools/lib/precompress.mjs left beside a file is sent in its place to whoever accepts it.
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import sirv from "sirv";

const headers = (response) => {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("cache-control", "no-cache");
};

/** A server of `folder` under the path `under` ("/" or "/some/folder/"); not yet listening. */
export function serve(folder, under = "/") {
  const files = sirv(folder, { brotli: true, gzip: true, etag: true, setHeaders: headers });
  return createServer((request, response) => {
    const missing = () => response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
    if (!["GET", "HEAD"].includes(request.method) || !request.url.startsWith(under)) return missing();
    request.url = request.url.slice(under.length - 1);
    files(request, response, missing);
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
