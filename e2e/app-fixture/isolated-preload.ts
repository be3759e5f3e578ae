/** Runs the built preload as Electron does, in a world of its own beside the page, in a Chromium that has no Electron. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { createTransport, type Transport } from "../../src/shared/wire/transport.ts";
import { projectRoot } from "./door.ts";

const world = "preload";
const binding = "__toMain";

/** What `electron` is to a preload; the far end of each port it is handed leads to this process. */
const electronForPreload = `
  const portListeners = [];
  let far;
  globalThis.__fromMain = (frame) => far.postMessage(frame);
  const electron = {
    contextBridge: {
      exposeInMainWorld(name, api) {
        if (name !== "countersign" || Object.keys(api).join() !== "connect") throw new Error("Not part of the bridge: " + name);
        document.addEventListener("bridge:connect", () => api.connect());
      },
    },
    ipcRenderer: {
      on: (channel, listener) => channel === "countersign:port" && portListeners.push(listener),
      send(channel) {
        if (channel !== "countersign:connect") throw new Error("Unknown channel " + channel);
        const { port1, port2 } = new MessageChannel();
        far = port2;
        far.onmessage = ({ data }) => globalThis.${binding}(data);
        for (const listener of portListeners) listener({ ports: [port1] });
      },
    },
    webUtils: { getPathForFile: () => "" },
  };
  const require = (name) => {
    if (name !== "electron") throw new Error("A sandboxed preload cannot require " + name);
    return electron;
  };
`;

/** What the bridge puts into the page's own world, and a note of every port that reaches it and of every violation. */
const pageSide = `
  window.countersign = Object.freeze({ connect: () => document.dispatchEvent(new Event("bridge:connect")) });
  window.__seen = { ports: [], violations: [] };
  window.addEventListener("message", (event) =>
    window.__seen.ports.push({ type: event.data.type, isOwn: event.source === window, origin: event.origin, ports: event.ports.length }));
  document.addEventListener("securitypolicyviolation", (event) => window.__seen.violations.push(event.violatedDirective));
`;

export type Seen = {
  ports: { type: string; isOwn: boolean; origin: string; ports: number }[];
  violations: string[];
};

/** Call before the page opens. @returns the host's end of the wire the page gets. */
export async function installPreload(page: Page): Promise<Transport> {
  const preload = await readFile(join(projectRoot, "out/preload/index.cjs"), "utf8");
  const cdp = await page.context().newCDPSession(page);
  let context: number | undefined;
  cdp.on("Runtime.executionContextCreated", ({ context: { id, name } }) => {
    if (name === world) context = id;
  });
  const ends = createTransport({
    send: (frame) =>
      void cdp
        .send("Runtime.evaluate", {
          expression: `__fromMain(${JSON.stringify(frame)})`,
          contextId: context,
        })
        // An answer to a page that is closed meanwhile is for nobody.
        .catch(() => undefined),
    close: () => undefined,
  });
  cdp.on("Runtime.bindingCalled", ({ name, payload }) => {
    if (name === binding) ends.receive(payload);
  });
  await cdp.send("Page.enable");
  await cdp.send("Runtime.enable");
  await cdp.send("Runtime.addBinding", { name: binding, executionContextName: world });
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", {
    worldName: world,
    source: `(() => {${electronForPreload}\n((require, module, exports) => {${preload}\n})(require, { exports: {} }, {});})();`,
  });
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: pageSide });
  return ends.transport;
}
