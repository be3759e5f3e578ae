/** The only user of raw IPC: it hands one message port to the console's own page, and hears of folders dropped on it. */
import { type IpcMainEvent, ipcMain, MessageChannelMain, type WebContents } from "electron";
import { messagePortTransport } from "../../shared/wire/message-port-transport.ts";
import type { Transport } from "../../shared/wire/transport.ts";

/** `isOurs` says whether a page belongs to our window; `connect` gets the host's end of each new wire. */
export type Door = {
  origin: string;
  isOurs: (contents: WebContents) => boolean;
  connect: (transport: Transport) => void;
  /** Gets the absolute path of a folder that the person dropped on the window; the host checks it like any path. */
  dropFolder: (path: string) => void;
};

/** Answers the preload: a request for a port, where a page's new wire replaces its old one, and a dropped folder. */
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
  ipcMain.on("countersign:drop", (event, path: unknown) => {
    if (findTrustedFrame(event, door) && typeof path === "string" && path !== "") door.dropFolder(path);
  });
}

/** A frame that is gone, is embedded, or shows any other origin is not trusted. */
function findTrustedFrame(event: IpcMainEvent, door: Door): Electron.WebFrameMain | null {
  const frame = event.senderFrame;
  if (frame === null || frame.parent !== null || frame.origin !== door.origin) return null;
  return door.isOurs(event.sender) ? frame : null;
}
