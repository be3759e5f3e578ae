/** Has the runtime's HTTP client read one answer, so that its parser is compiled before a model's first answer waits for it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Asks a server of its own on loopback, which is gone afterwards. @throws when no port is to be had there */
export async function warmFetch(): Promise<void> {
  const server = createServer((_request, response) => response.end("{}"));
  server.listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${port}/`)).text();
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
