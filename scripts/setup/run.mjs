/** Starting child processes: tools with the right Node first on PATH, the app with the person's own, exit codes kept. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { isatty } from "node:tty";
import { whenNpmDies } from "./npm-watch.mjs";
import { personFolder } from "./person-folder.mjs";
import { personPath } from "./person-path.mjs";
import { root, SetupError, Stopped } from "./project.mjs";

const bin = join(root, "node_modules", ".bin");
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];
const path = process.env.PATH ?? process.env.Path ?? "";
const killAfterMs = 5_000;

/** The Node the app is made for; it is installed with the dependencies. */
export function node24Path() {
  const program = process.platform === "win32" ? "node.exe" : "node";
  return join(root, "node_modules", "node", "bin", program);
}

/**
 * The environment of tools that set up, build and test: programs of node_modules/.bin, Node 24 among them, come first.
 * Last comes the Node that runs us: scripts of packages ask for it by name, also where PATH has none.
 */
export function toolEnv(extra = {}) {
  const folders = [dirname(node24Path()), bin, path, dirname(process.execPath)];
  return { ...process.env, PATH: folders.join(delimiter), ...extra };
}

/** The environment of the app, and so of every command that is run in it: PATH as the person has it. */
export function appEnv(extra = {}) {
  return { ...process.env, PATH: personPath(path, root), ...extra };
}

/**
 * Runs a tool to its end and resolves to its exit code (128 + n after a signal). `timeoutMs` ends it;
 * `stdout: "stderr"` keeps our stdout clean. @throws Stopped when a person stopped it, SetupError when it cannot be started.
 */
export async function run(program, args, { env = {}, stdout = "inherit", timeoutMs, shell = false } = {}) {
  const child = spawn(program, args, {
    cwd: root,
    env: toolEnv(env),
    stdio: ["ignore", stdout === "stderr" ? process.stderr : stdout, "inherit"],
    shell,
  });
  return orStopped(await waitFor(program, child, { signal: timeoutMs && AbortSignal.timeout(timeoutMs) }));
}

/** Runs one kind of test, each with its name, and resolves to the exit code. */
export function runProject(project, args, env) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  return run(node24Path(), [vitest, "run", "--project", project, "--reporter=verbose", ...args], { env });
}

/**
 * Runs a tool without showing what it says, and resolves to its exit code and its words.
 * @param signal ends it: politely, then by force.
 * @throws SetupError when it cannot be started.
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
  return { code: orStopped(await waitFor(program, child, { signal })), output };
}

/** How npm is run: as the one that started us or came with this Node, else as the one on PATH. */
export function npmCommand(args) {
  const file = npmFile();
  if (file !== undefined) return { program: process.execPath, args: [file, ...args] };
  return process.platform === "win32" ? { program: "npm.cmd", args, shell: true } : { program: "npm", args };
}

/** The file of the npm that started us or came with this Node, or undefined. */
export function npmFile() {
  const folder = dirname(process.execPath);
  return [
    process.env.npm_execpath,
    ...[join(folder, "..", "lib"), folder].map((at) => join(at, "node_modules", "npm", "bin", "npm-cli.js")),
  ].find((file) => file !== undefined && /npm-cli\.c?js$/.test(file) && existsSync(file));
}

/**
 * Becomes the program as far as that is possible: same terminal, its exit code, its end by our signals. With `channel` it
 * gets one that closes when this process dies, so that it cannot live on unnoticed, and over which it is asked to quit.
 * It starts where the person stands, unless `cwd` names a folder. One that said over its channel that it has closed all it
 * had, and is still there then, is ended: Node may wait for its own threads for ever (nodejs/node#54918).
 * Resolves to its exit code and whether we were asked to stop. @throws SetupError when it cannot be started.
 */
export async function become(program, args, options = {}) {
  const { env = {}, channel = false, onMessage = () => {}, cwd = personFolder(root) } = options;
  const stdio = ["inherit", "inherit", "inherit", ...(channel ? ["ipc"] : [])];
  const child = spawn(program, args, { env: appEnv(env), stdio, cwd });
  let isClosed = false;
  child.on("message", (message) => {
    onMessage(message);
    if (isClosed || message?.type !== "closed") return;
    isClosed = true;
    setTimeout(() => child.kill("SIGKILL"), killAfterMs).unref();
  });
  const stopWatching = channel ? whenNpmDies(() => child.kill("SIGTERM")) : () => {};
  const ended = await waitFor(program, child).finally(stopWatching);
  return isClosed ? { ...ended, code: 0 } : ended;
}

function orStopped({ code, wasStopped }) {
  if (wasStopped) throw new Stopped(code);
  return code;
}

function waitFor(program, child, { signal: abort } = {}) {
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
  return new Promise((resolve, reject) => {
    // It is told too when a signal could not be sent, which is no end.
    child.on(
      "error",
      (error) => child.pid === undefined && reject(new SetupError(whyNotStarted(program, error))),
    );
    child.on("close", (code, signal) =>
      resolve({
        code: code ?? 128 + (constants.signals[signal] ?? 0),
        wasStopped: stoppedBy !== undefined,
      }),
    );
  }).finally(() => {
    abort?.removeEventListener("abort", end);
    for (const signal of stopSignals) process.off(signal, onStop);
  });
}

/** A system names the program also when it is the folder to start in that is missing. */
function whyNotStarted(program, { code }) {
  if (!existsSync(root))
    return `The folder ${root} is gone. Get the project again, then run the same command in it.`;
  const name = basename(program);
  if (code !== "ENOENT") return `${name} could not be started (${code}).`;
  if (name === "npm")
    return "npm was not found. Install Node with npm from https://nodejs.org, then try again.";
  return `${name} was not found. Install it, then run the same command again.`;
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
