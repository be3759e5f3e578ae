/** What a confined command is held by, when its folder was looked at before it was asked for. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { nothingMore } from "../sandbox/hidden-places.ts";
import { missing, program } from "../sandbox/testing/real-sandbox.ts";
import { findCommandShell } from "./find-command-shell.ts";
import { serveShellHost } from "./shell-host.ts";
import type { Confining, FromShellHost, ToShellHost } from "./shell-messages.ts";

/** A shell host in this process, for a folder of its own. */
function openHost() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-ahead-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [cwd, logDir] = [join(root, "workspace"), join(root, "logs")];
  for (const folder of [cwd, logDir]) mkdirSync(folder);
  let tell = (_message: ToShellHost): void => {};
  let hear = (_message: FromShellHost): void => {};
  const channel = {
    send: (message: FromShellHost) => hear(message),
    onMessage: (listener: typeof tell) => {
      tell = listener;
    },
    onClose: () => {},
  };
  serveShellHost(channel, () => {});
  const limits = { headBytes: 10_000, tailBytes: 10_000 };
  const bounds = { limits, maxLogBytes: 100_000, graceMs: 100, stallMs: 60_000 };
  tell({
    type: "open",
    options: {
      logDir,
      commandShell: findCommandShell(process.platform, process.env),
      envAllowList: ["PATH"],
      ...bounds,
    },
  });
  const confining: Confining = {
    ...{ program, width: "workspace", home: join(root, "home"), dataDir: join(root, "data") },
    hidden: nothingMore,
  };
  const executionId = randomUUID();
  return {
    cwd,
    lookAhead: () => tell({ type: "lookAhead", executionId, cwd, confining }),
    async mounts() {
      const ended = new Promise<string>((resolve, reject) => {
        hear = (message) => {
          if (message.type === "ended") resolve(message.result.output);
          if (message.type === "refused") reject(new Error(message.message));
        };
      });
      const size = { cols: 200, rows: 50, timeoutMs: 60_000, maxLogBytes: 100_000, env: {} };
      const command = "cat /proc/self/mountinfo";
      tell({ type: "run", request: { executionId, command, cwd, confining, ...size } });
      return ended;
    },
  };
}

describe.skipIf(missing !== undefined)("a look ahead", () => {
  afterEach(() => void vi.useRealTimers());

  /** Only what the look itself waits for; a terminal needs its own clock. */
  function lookOnFakeClock(look: () => void, ms = 0): void {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    look();
    vi.advanceTimersByTime(ms);
    vi.useRealTimers();
  }

  it("is what the command is held by: what was there then is guarded", async () => {
    const { cwd, lookAhead, mounts } = openHost();
    mkdirSync(join(cwd, "old"));
    for (const folder of [cwd, join(cwd, "old")]) execFileSync("git", ["init", "-q"], { cwd: folder });
    lookOnFakeClock(lookAhead);
    mkdirSync(join(cwd, "new"));
    execFileSync("git", ["init", "-q"], { cwd: join(cwd, "new") });
    const held = await mounts();
    expect(held).toContain(` ${cwd}/.git ro`);
    expect(held).toContain(` ${cwd}/old/.git ro`);
    expect(held).not.toContain(`${cwd}/new/.git`);
  });

  it("is forgotten when it is some time ago", async () => {
    const { cwd, lookAhead, mounts } = openHost();
    lookOnFakeClock(lookAhead, 200);
    writeFileSync(join(cwd, ".envrc"), "mine\n");
    execFileSync("git", ["init", "-q"], { cwd });
    const held = await mounts();
    expect(held).toContain(` ${cwd}/.git ro`);
    expect(held).toContain(` ${cwd}/.envrc ro`);
  });
});
