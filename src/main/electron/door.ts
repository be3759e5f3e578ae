/** The only user of raw IPC: it hands one message port to the console's own page and to nothing else. */
import { type IpcMainEvent, ipcMain, MessageChannelMain, type WebContents } from "electron";
import { messagePortTransport } from "../../shared/wire/message-port-transport.ts";
import type { Transport } from "../../shared/wire/transport.ts";

/** `isOurs` says whether a page belongs to our window; `connect` gets the host's end of each new wire. */
export type Door = {
  origin: string;
  isOurs: (contents: WebContents) => boolean;
  connect: (transport: Transport) => void;
};

/** Answers the preload's request for a port. A page holds one wire at a time: a new one replaces the old. */
export function openDoor(door: Door): void {
  const wires = new WeakMap<WebContents, Transport>();
  ipcMain.on("countersign:connect", (event) => {
    const frame = findTrustedFrame(event, door);
    if (frame === null) {
      console.error("Refused a connection that does not come from the console's own page.");
      return;
    }
    wires.get(event.sender)?.close();
    const { port1, port2 } = new MessageChannelMain();
    const transport = messagePortTransport(port1);
    wires.set(event.sender, transport);
    door.connect(transport);
    frame.postMessage("countersign:port", null, [port2]);
  });
}

/** A frame that is gone, is embedded, or shows any other origin is not trusted. */
function findTrustedFrame(event: IpcMainEvent, door: Door): Electron.WebFrameMain | null {
  const frame = event.senderFrame;
  if (frame === null || frame.parent !== null || frame.origin !== door.origin) return null;
  return door.isOurs(event.sender) ? frame : null;
}
