/** Runs the preload exactly as it is shipped, bundled to one script, beside a fake `electron`. */
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "vite";
import { beforeAll, describe, expect, it } from "vitest";

let script: string;

beforeAll(async () => {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        input: join(import.meta.dirname, "index.ts"),
        external: ["electron"],
        output: { format: "cjs" },
      },
    },
  });
  const { output } = result as { output: { code: string }[] };
  expect(output).toHaveLength(1);
  script = output[0]?.code ?? "";
});

type PortListener = (event: { ports: unknown[] }) => void;

type Item = { isDirectory: boolean; path: string };

/** What the browser tells of a drag, of the person's or (not trusted) of the page's own making. */
function createDrag(items: Item[], { isTrusted = true, types = ["Files"] } = {}) {
  return {
    isTrusted,
    isPrevented: false,
    preventDefault() {
      this.isPrevented = true;
    },
    dataTransfer: {
      types,
      items: items.map(({ isDirectory, path }) => ({
        webkitGetAsEntry: () => ({ isDirectory }),
        getAsFile: () => ({ path }),
      })),
    },
  };
}

/** Loads the script as Electron's sandbox does: a CommonJS function that can require `electron` and nothing else. */
function load() {
  const exposed: Record<string, Record<string, unknown>> = {};
  const sent: unknown[][] = [];
  const listeners = new Map<string, PortListener>();
  const posted: unknown[][] = [];
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: Record<string, unknown>) => {
        exposed[name] = api;
      },
    },
    ipcRenderer: {
      on: (channel: string, listener: PortListener) => listeners.set(channel, listener),
      send: (...args: unknown[]) => {
        sent.push(structuredClone(args));
      },
    },
    webUtils: { getPathForFile: (file: { path: string }) => file.path },
  };
  const require = (name: string) => {
    if (name !== "electron") throw new Error(`A sandboxed preload cannot require ${name}.`);
    return electron;
  };
  const page = { postMessage: (...args: unknown[]) => posted.push(args) };
  const heard = new Map<string, (event: ReturnType<typeof createDrag>) => void>();
  const context = createContext({
    window: page,
    location: { origin: "app://console" },
    addEventListener: (name: string, listener: (event: ReturnType<typeof createDrag>) => void) =>
      heard.set(name, listener),
  });
  const run = runInContext(`(function (require, module, exports) {${script}\n})`, context);
  run(require, { exports: {} }, {});
  const connect = exposed.countersign?.connect as () => unknown;
  return { exposed, connect, sent, listeners, posted, heard };
}

describe("the shipped preload", () => {
  it("exposes connect and nothing else", () => {
    const { exposed } = load();
    expect(Object.keys(exposed)).toEqual(["countersign"]);
    expect(Object.keys(exposed.countersign ?? {})).toEqual(["connect"]);
  });

  it("asks for a port only when the page connects, and says nothing else", () => {
    const { connect, sent } = load();
    expect(sent).toEqual([]);
    connect();
    expect(sent).toEqual([["countersign:connect"]]);
  });

  it("hands the page each port that arrives, addressed to the page's own origin", () => {
    const { listeners, posted } = load();
    expect([...listeners.keys()]).toEqual(["countersign:port"]);
    const port = {};
    listeners.get("countersign:port")?.({ ports: [port] });
    expect(posted).toEqual([[{ type: "countersign:port" }, "app://console", [port]]]);
  });

  it("gives the page no way to reach Electron's own objects", () => {
    expect(load().connect()).toBeUndefined();
  });

  it("names the folder that a person dropped, and opens no dropped file in its place", () => {
    const { heard, sent } = load();
    const over = createDrag([]);
    heard.get("dragover")?.(over);
    expect(over.isPrevented).toBe(true);
    const folder = { isDirectory: true, path: "/home/me/shop" };
    const dropped = createDrag([{ isDirectory: false, path: "/home/me/a.png" }, folder]);
    heard.get("drop")?.(dropped);
    expect(dropped.isPrevented).toBe(true);
    expect(sent).toEqual([["countersign:drop", "/home/me/shop"]]);
  });

  it("says nothing of a dropped file or text, or of a drop that the page made up", () => {
    const { heard, sent } = load();
    const folder = { isDirectory: true, path: "/home/me/shop" };
    heard.get("drop")?.(createDrag([{ isDirectory: false, path: "/home/me/a.png" }]));
    heard.get("drop")?.(createDrag([folder], { isTrusted: false }));
    const text = createDrag([], { types: ["text/plain"] });
    heard.get("dragover")?.(text);
    heard.get("drop")?.(text);
    expect(text.isPrevented).toBe(false);
    expect(sent).toEqual([]);
  });
});
