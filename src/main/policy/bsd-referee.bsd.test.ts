/**
 * Runs what the policy of macOS calls safe, and looks whether a secret comes out or a file is written. Where no Mac is,
 * GNU's tools stand in for macOS' own: with POSIXLY_CORRECT they too find options in front of operands only.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { posixStyle } from "../paths/posix-style.ts";
import { findCommandShell } from "../shell/find-command-shell.ts";
import { resolveIn } from "./disk.ts";
import { judgeCommand } from "./judge-command.ts";
import { findSecretBelow } from "./look-for-secrets.ts";
import type { PolicyContext } from "./policy-context.ts";
import { flagProfiles } from "./profiles/read-only-tools.ts";
import { makeBsdCommands } from "./testing/bsd-commands.ts";
import { makeContext } from "./testing/make-context.ts";
import { makeRandom } from "./testing/seeded-commands.ts";

const seed = Number(process.env.POLICY_SEED ?? 20_260_101);
const runs = Number(process.env.POLICY_RUNS ?? 250);

/** How one letter, which stands nowhere else but in `-Q`, looks in whatever form a tool prints it: as it is, octal, hex, base64. */
const leak = /(?<!-)Q|0?50521|\b5151|\b121 121\b|UVFR/;
/** In a name; tools that tell of files also print sizes, places on the disk and times, which may be any number. */
const leakingName = /(?<!-)Q/;

function leaks(command: string, output: string): boolean {
  const operands = flagProfiles[command.split(" ")[0]!]?.operands;
  return (operands === "metadata" ? leakingName : leak).test(output);
}

let base: string;
let workspace: string;
let context: PolicyContext;

beforeAll(() => {
  // Not a name of which a part looks like a leak.
  do base = realpathSync(mkdtempSync(join(tmpdir(), "policy-bsd-")));
  while (leak.test(base));
  workspace = join(base, "home", "app");
  mkdirSync(workspace, { recursive: true });
  mkdirSync(join(base, "home", "outside"));
  for (const name of ["a.txt", "b.txt", "x", "5", "-c"]) writeFileSync(join(workspace, name), "a\nx 5\n");
  writeFileSync(join(workspace, ".env"), "QQQQQQQQQQQQQQQQ\n".repeat(20));
  writeFileSync(join(base, "home", "outside", "QQQQ"), "QQQQQQQQ\n".repeat(20));
  context = makeContext({
    workspace,
    cwd: workspace,
    home: join(base, "home"),
    rules: [],
    tools: "bsd",
    resolvePath: resolveIn(posixStyle, { home: "/" }),
    findSecretBelow,
  });
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Every file of the little world with its content, to see what a command wrote. */
function contents(): string {
  const files = readdirSync(base, { recursive: true, encoding: "utf8" }).sort();
  return files
    .map(
      (name) =>
        `${name} ${statSync(join(base, name)).isFile() ? readFileSync(join(base, name), "latin1") : ""}`,
    )
    .join("\n");
}

/** What each command prints, in order, run by the shell that the app starts. */
function runAll(commands: readonly string[]): string[] {
  const shell = findCommandShell(process.platform, process.env).file;
  const quoted = (command: string) => `'${command.replaceAll("'", "'\\''")}'`;
  const lines = commands.map(
    (command) => `'${shell}' --noprofile --norc -c ${quoted(command)} </dev/null 2>&1; printf '\\n\\001\\n'`,
  );
  const output = execFileSync(shell, ["--noprofile", "--norc"], {
    input: lines.join("\n"),
    env: { PATH: "/usr/bin:/bin", HOME: join(base, "home"), LC_ALL: "C", POSIXLY_CORRECT: "1" },
    cwd: workspace,
    encoding: "latin1",
    maxBuffer: 64 * 1024 * 1024,
  });
  return output.split("\u0001").slice(0, commands.length);
}

/** The commands that gave something away or wrote something. */
function findCulprits(commands: readonly string[]): string[] {
  const before = contents();
  const leaking = runAll(commands).flatMap((output, at) =>
    leaks(commands[at]!, output) ? [commands[at]!] : [],
  );
  return contents() === before ? leaking : [...leaking, "a file was written"];
}

const isInstalled = (tool: string) =>
  "/usr/bin:/bin".split(delimiter).some((folder) => existsSync(join(folder, tool)));

/** Tools that are here, each with the options of its profile. Those that search by a program of their own are the same everywhere. */
const tools = Object.entries(flagProfiles).filter(
  ([name, { operands, sameEverywhere }]) =>
    ["content", "metadata"].includes(operands) && !sameEverywhere && isInstalled(name),
);

/** `most` of the commands that are safe by a policy, every tool's in turn. */
function chooseSafe(policy: PolicyContext, most: number): string[] {
  const random = makeRandom(seed);
  const queues = tools.map(([name, profile]) => {
    const all = makeBsdCommands(name, profile);
    return all.map((command) => ({ command, at: random() })).sort((one, two) => one.at - two.at);
  });
  const chosen: string[] = [];
  for (let turn = 0; chosen.length < most && queues.some((queue) => turn < queue.length); turn += 1)
    for (const queue of queues) {
      const command = queue[turn]?.command;
      if (command !== undefined && judgeCommand(command, policy).verdict === "safe") chosen.push(command);
    }
  return chosen.slice(0, most);
}

describe("macOS' tools as the referee", () => {
  it("names the tools that are tried, and what stands in for them", () => {
    const names = tools.map(([name]) => name).join(" ");
    const missing = Object.keys(flagProfiles).filter(
      (name) => flagProfiles[name]?.bsd !== undefined && !isInstalled(name),
    );
    const who =
      process.platform === "darwin" ? "macOS' own tools" : "GNU's and util-linux' tools with POSIXLY_CORRECT";
    console.log(`Tried with ${who}: ${names}. Not installed here: ${missing.join(" ") || "none"}.`);
    expect(tools.length).toBeGreaterThan(20);
  });

  it("sees what leaks when macOS' tools get what is only safe with GNU's, so that the test can fail", () => {
    const culprits = findCulprits(chooseSafe({ ...context, tools: "gnu" }, runs));
    const kinds = new Set(culprits.map((command) => command.split(" ")[0]));
    expect(kinds.size).toBeGreaterThan(4);
  });

  it("finds no secret printed and no file written by what is safe on macOS", () => {
    const safe = chooseSafe(context, runs);
    expect(safe.length).toBeGreaterThan(100);
    expect(findCulprits(safe)).toEqual([]);
  });
});
