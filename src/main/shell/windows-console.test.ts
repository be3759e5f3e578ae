import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { consoleOf } from "./pty-terminal.ts";

const require = createRequire(import.meta.url);
/** The part of node-pty that ends a command on Windows; its native half is loaded only when a command is started. */
const { WindowsPtyAgent } = require(join(require.resolve("node-pty"), "../windowsPtyAgent.js"));

/** How node-pty would end a command of this console: whether it asks a forked helper, and whether it ends the console. */
function end(useConptyDll: boolean | undefined): { forks: number; ended: unknown[] } {
  const seen = { forks: 0, ended: [] as unknown[] };
  const agent = {
    _useConpty: true,
    _useConptyDll: useConptyDll ?? false,
    _pty: 7,
    _inSocket: { destroy() {} },
    _outSocket: { on() {} },
    _conoutSocketWorker: { dispose() {} },
    _ptyNative: { kill: (pty: number, ownLibrary: boolean) => seen.ended.push([pty, ownLibrary]) },
    _getConsoleProcessList: () => {
      seen.forks += 1;
      return Promise.resolve([]);
    },
  };
  WindowsPtyAgent.prototype.kill.call(agent);
  return seen;
}

describe("the end of a command on Windows", () => {
  it("forks no helper out of the program", () => {
    expect(end(consoleOf("win32").useConptyDll)).toEqual({ forks: 0, ended: [[7, true]] });
    // What node-pty does when it is told nothing.
    expect(end(undefined).forks).toBe(1);
  });
});
