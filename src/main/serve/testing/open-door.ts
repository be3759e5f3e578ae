/** A door on a free port with two small pages and a host that echoes, closed after the test that opened it. */
import { onTestFinished } from "vitest";
import type { Transport } from "../../../shared/wire/transport.ts";
import { createAccess } from "../access.ts";
import { createDoor, type Door, type DoorOptions } from "../door.ts";
import type { StaticFiles } from "../static-files.ts";
import type { TestDoor } from "./open-socket.ts";

export const files: StaticFiles = filesOf({
  "/": "<!doctype html><title>Countersign</title>",
  "/assets/a.js": "1",
});

/** Pages by path; a path that ends in `.js` is a script. */
export function filesOf(pages: Record<string, string>): StaticFiles {
  return new Map(
    Object.entries(pages).map(([path, text]) => {
      const type = `text/${path.endsWith(".js") ? "javascript" : "html"}; charset=utf-8`;
      return [path, { read: async () => Buffer.from(text), type }];
    }),
  );
}

export async function openDoor(
  options: Partial<DoorOptions> = {},
): Promise<Door & TestDoor & { transports: Transport[] }> {
  const transports: Transport[] = [];
  const access = createAccess();
  const onTransport = (transport: Transport) => {
    // Something has to listen, as the host does, or nothing is ever read.
    transport.onFrame((frame) => transport.send(`echo ${frame}`));
    transports.push(transport);
  };
  const door = await createDoor({ files, port: 0, access, onTransport, ...options });
  onTestFinished(door.close);
  return { ...door, access, transports };
}
