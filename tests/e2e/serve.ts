/** The server of tools/run for tests: under a subfolder if asked, and it counts the bytes that it sent, headers included. */
import type { AddressInfo, Socket } from "node:net";
import { serve as serveFolder } from "../../tools/lib/serve.mjs";

export interface Server { address: string; sent(): number; close(): void }

export async function serve(folder: string, under = "/"): Promise<Server> {
  const sockets: Socket[] = [];
  const server = serveFolder(folder, under);
  server.on("connection", (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}${under}`,
    sent: () => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0),
    close: () => void server.close(),
  };
}
