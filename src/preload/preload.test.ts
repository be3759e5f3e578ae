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
  };
  const require = (name: string) => {
    if (name !== "electron") throw new Error(`A sandboxed preload cannot require ${name}.`);
    return electron;
  };
  const page = { postMessage: (...args: unknown[]) => posted.push(args) };
  const context = createContext({ window: page, location: { origin: "app://console" } });
  const run = runInContext(`(function (require, module, exports) {${script}\n})`, context);
  run(require, { exports: {} }, {});
  const connect = exposed.countersign?.connect as () => unknown;
  return { exposed, connect, sent, listeners, posted };
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
});
