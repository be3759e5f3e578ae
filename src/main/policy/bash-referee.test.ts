import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { posixStyle } from "../paths/posix-style.ts";
import { findCommandShell } from "../shell/find-command-shell.ts";
import { resolveIn } from "./disk.ts";
import { judgeCommand } from "./judge-command.ts";
import type { PolicyContext } from "./policy-context.ts";
import { makeContext } from "./testing/make-context.ts";
import { makeRandom, makeSmugglingCommand } from "./testing/seeded-commands.ts";

const seed = Number(process.env.POLICY_SEED ?? 20_260_101);
const candidates = Number(process.env.POLICY_CANDIDATES ?? 12_000);
const maxRuns = Number(process.env.POLICY_RUNS ?? 160);

let base: string;
let workspace: string;
let bin: string;
let marker: string;
let context: PolicyContext;

function writeProgram(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "policy-referee-")));
  workspace = join(base, "home", "app");
  bin = join(base, "bin");
  marker = join(base, "marker");
  mkdirSync(join(workspace, "d"), { recursive: true });
  mkdirSync(bin);
  for (const path of [join(bin, "pwn-marker"), join(workspace, "pwn-marker")])
    writeProgram(path, `echo ran >> '${marker}'`);
  for (const name of ["npm", "git"]) writeProgram(join(bin, name), "exit 0");
  const traps = [
    "f",
    "g",
    "-v",
    "-exec",
    "a[$(pwn-marker)]",
    "--pre=pwn-marker",
    "--compress-program=pwn-marker",
    "1e pwn-marker",
  ];
  for (const name of traps) writeFileSync(join(workspace, name), "a\nx\n");
  context = makeContext({
    workspace,
    cwd: workspace,
    home: join(base, "home"),
    resolvePath: resolveIn(posixStyle, { home: "/" }),
  });
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Runs all commands one after the other in fresh shells; only whether the marker ran matters, and none may wait for ever. */
function runInBash(commands: readonly string[]): boolean {
  const driver = join(base, "driver.sh");
  // The one that the app starts, which on macOS is much older than one on PATH may be.
  const bash = findCommandShell(process.platform, process.env).file;
  const lines = commands.map((command) => `run '${command.replaceAll("'", "'\\''")}'`);
  // With job control each is a group of its own, which its guard can end; not every system has a program for that.
  const run = [
    "set -m",
    "run() {",
    `  '${bash}' --norc --noprofile -c "$1" </dev/null >/dev/null 2>&1 & local command=$!`,
    '  (sleep 1; kill -KILL "-$command") >/dev/null 2>&1 & local guard=$!',
    '  wait "$command"; kill -KILL "-$guard"; return 0',
    "}",
  ];
  writeFileSync(driver, `${[...run, ...lines].join("\n")}\n`);
  const env = { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, HOME: join(base, "home"), LANG: "C.UTF-8" };
  execFileSync(bash, ["--norc", "--noprofile", driver], {
    env,
    cwd: workspace,
    stdio: "ignore",
  });
  return existsSync(marker);
}

function findCulprits(commands: readonly string[]): readonly string[] {
  rmSync(marker, { force: true });
  if (!runInBash(commands)) return [];
  if (commands.length === 1) return commands;
  const half = Math.ceil(commands.length / 2);
  const first = findCulprits(commands.slice(0, half));
  return first.length > 0 ? first : findCulprits(commands.slice(half));
}

function runsUnasked(command: string): boolean {
  const { verdict } = judgeCommand(command, context);
  return verdict === "safe" || verdict === "covered";
}

describe.skipIf(process.platform === "win32")("bash as the referee", () => {
  it("sees the marker when a command really starts it, so that the test can fail", () => {
    expect(findCulprits(["ls", "echo $(pwn-marker)", "pwd"])).toEqual(["echo $(pwn-marker)"]);
  });

  it("never starts the marker hidden in commands that run without being asked about", () => {
    const random = makeRandom(seed);
    const accepted = new Set<string>();
    for (let made = 0; made < candidates && accepted.size < maxRuns; made += 1) {
      const command = makeSmugglingCommand(random);
      if (command.includes("pwn-marker") && runsUnasked(command)) accepted.add(command);
    }
    expect(accepted.size).toBeGreaterThan(100);
    expect(findCulprits([...accepted])).toEqual([]);
  });
});
