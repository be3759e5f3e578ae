/** A body that is too large, over a real socket. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { readBody } from "./read-body.ts";

it("hears a body that is too large to its end, so that who sends it gets the answer and no connection that broke", async () => {
  const server = createServer((request, response) => {
    const end = (said: string) => void response.end(said);
    readBody(request, 1_000).then(end, (error: Error) => end(error.message));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const heard = text(client);
  client.write(`POST / HTTP/1.0\r\nContent-Length: 20000000\r\n\r\n`);
  // More than any buffer on the way holds: it can be sent only while the other end reads.
  for (let sent = 0; sent < 20; sent++) {
    const isTaken = client.write("x".repeat(1_000_000));
    if (!isTaken) await once(client, "drain");
  }
  expect((await heard).split("\r\n").at(-1)).toBe("This is too large to be asked.");
  server.close();
});
