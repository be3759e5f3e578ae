/** Frames over a local socket: one a line, since JSON holds no line break of its own. */
import type { Socket } from "node:net";
import { StringDecoder } from "node:string_decoder";
import { maxFrameBytes } from "../../shared/wire/frames.ts";
import { createTransport, type Transport } from "../../shared/wire/transport.ts";

/** Takes over an open socket. A line that is longer than a frame may be hangs up. */
export function socketTransport(socket: Socket): Transport {
  const decoder = new StringDecoder("utf8");
  let begun: string[] = [];
  let length = 0;
  const { transport, receive, ended } = createTransport({
    send: (frame) => socket.write(`${frame}\n`),
    close: () => socket.end(),
  });
  socket.on("data", (bytes: Buffer) => {
    const [rest, ...lines] = decoder.write(bytes).split("\n");
    begun.push(rest!);
    length += rest!.length;
    for (const line of lines) {
      if (length <= maxFrameBytes) receive(begun.join(""));
      begun = [line];
      length = length <= maxFrameBytes ? line.length : length;
    }
    if (length > maxFrameBytes) socket.destroy();
  });
  // An error closes the socket as well.
  socket.on("error", () => {});
  socket.on("close", () => ended("The other side closed the connection."));
  return transport;
}
