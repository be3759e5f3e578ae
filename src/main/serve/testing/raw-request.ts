/** Requests as bytes, from clients that keep to no protocol after them. */
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { type TestDoor, tokenOf } from "./open-socket.ts";

/** The raw request a page's WebSocket makes, for clients that then ignore the protocol. */
export function handshake(door: TestDoor): string {
  const home = `127.0.0.1:${door.port}`;
  const lines = [
    "GET /wire HTTP/1.1",
    `Host: ${home}`,
    `Origin: http://${home}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    `Sec-WebSocket-Protocol: console.v1, auth.${tokenOf(door)}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** @returns what comes first of the answer. */
export async function speak(port: number, request: string): Promise<string> {
  const socket = connectTcp({ host: "127.0.0.1", port });
  socket.write(request.replaceAll("PORT", String(port)));
  const [answer] = await once(socket, "data");
  socket.destroy();
  return String(answer);
}
