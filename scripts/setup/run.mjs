/** Starting child processes: tools with the right Node first on PATH, the app with the person's own, exit codes kept. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { isatty } from "node:tty";
import { whenNpmDies } from "./npm-watch.mjs";
import { personPath } from "./person-path.mjs";
import { root, Stopped } from "./project.mjs";

const bin = join(root, "node_modules", ".bin");
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];
const path = process.env.PATH ?? process.env.Path ?? "";
const killAfterMs = 5_000;

/** The Node the app is made for; it is installed with the dependencies. */
export function node24Path() {
  const program = process.platform === "win32" ? "node.exe" : "node";
  return join(root, "node_modules", "node", "bin", program);
}

/** The environment of tools that set up, build and test: programs of node_modules/.bin, Node 24 among them, come first. */
export function toolEnv(extra = {}) {
  return { ...process.env, PATH: [join(node24Path(), ".."), bin, path].join(delimiter), ...extra };
}

/** The environment of the app, and so of every command that is run in it: PATH as the person has it. */
export function appEnv(extra = {}) {
  return { ...process.env, PATH: personPath(path, root), ...extra };
}

/**
 * Runs a tool to its end and resolves to its exit code (128 + n after a signal). `timeoutMs` ends it;
 * `stdout: "stderr"` keeps our stdout clean. Throws Stopped when a person stopped it.
 */
export async function run(program, args, { env = {}, stdout = "inherit", timeoutMs, shell = false } = {}) {
  const child = spawn(program, args, {
    cwd: root,
    env: toolEnv(env),
    stdio: ["ignore", stdout === "stderr" ? process.stderr : stdout, "inherit"],
    shell,
  });
  return orStopped(await waitFor(child, { signal: timeoutMs && AbortSignal.timeout(timeoutMs) }));
}

/**
 * Runs a tool without showing what it says, and resolves to its exit code and its words.
 * @param signal ends it: politely, then by force.
 */
export async function runQuietly({ program, args, env = {}, shell = false, signal }) {
  const child = spawn(program, args, {
    cwd: root,
    env: toolEnv(env),
    stdio: ["ignore", "pipe", "pipe"],
    shell,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-100_000);
    });
  return { code: orStopped(await waitFor(child, { signal })), output };
}

/** How npm is run: as the very npm that started us where there is one. */
export function npmCommand(args) {
  const own = process.env.npm_execpath;
  if (own !== undefined && /npm-cli\.c?js$/.test(own) && existsSync(own))
    return { program: process.execPath, args: [own, ...args] };
  return process.platform === "win32" ? { program: "npm.cmd", args, shell: true } : { program: "npm", args };
}

/**
 * Becomes the program as far as that is possible: same terminal, its exit code, its end by our signals. With `channel` it
 * gets one that closes when this process dies, so that it cannot live on unnoticed, and over which it is asked to quit.
 * Resolves to its exit code and whether we were asked to stop.
 */
export async function become(program, args, { env = {}, channel = false, onMessage = () => {} } = {}) {
  const stdio = ["inherit", "inherit", "inherit", ...(channel ? ["ipc"] : [])];
  const child = spawn(program, args, { env: appEnv(env), stdio });
  child.on("message", onMessage);
  const stopWatching = channel ? whenNpmDies(() => child.kill("SIGTERM")) : () => {};
  return waitFor(child).finally(stopWatching);
}

function orStopped({ code, wasStopped }) {
  if (wasStopped) throw new Stopped(code);
  return code;
}

function waitFor(child, { signal: abort } = {}) {
  let stoppedBy;
  const onStop = (signal) => {
    stoppedBy = signal;
    passOn(signal, child);
  };
  const end = () => {
    child.kill("SIGTERM");
    setTimeout(() => {
      child.kill("SIGKILL");
      // What it had started may hold on to these for long.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    }, killAfterMs).unref();
  };
  for (const signal of stopSignals) process.on(signal, onStop);
  abort?.addEventListener("abort", end, { once: true });
  return new Promise((resolve) => {
    const finish = (code) => {
      abort?.removeEventListener("abort", end);
      for (const signal of stopSignals) process.off(signal, onStop);
      resolve({ code, wasStopped: stoppedBy !== undefined });
    };
    child.on("error", () => finish(127));
    child.on("close", (code, signal) => finish(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/**
 * A terminal tells every program in it about Ctrl+C, so a second signal would be one too many, which for some programs
 * means: at once. Windows has no signals, and sending one is killing. Asking twice over the channel does no harm.
 */
export function passOn(signal, child, platform = process.platform) {
  const isTold = platform === "win32" || (signal === "SIGINT" && isatty(0));
  if (!isTold) child.kill(signal);
  else if (child.connected) child.send({ type: "quit" }, () => {});
}
