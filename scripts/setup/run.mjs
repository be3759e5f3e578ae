/** Starting child processes: the right Node first on PATH, signals passed on, exit codes kept. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { whenNpmDies } from "./npm-watch.mjs";
import { root } from "./project.mjs";

const bin = join(root, "node_modules", ".bin");
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The Node the app is made for; it is installed with the dependencies. */
export function node24Path() {
  const program = process.platform === "win32" ? "node.exe" : "node";
  return join(root, "node_modules", "node", "bin", program);
}

/** The environment of every child: programs of node_modules/.bin, Node 24 among them, come first. */
export function childEnv(extra = {}) {
  const path = process.env.PATH ?? process.env.Path ?? "";
  const nodeDir = join(node24Path(), "..");
  return { ...process.env, PATH: [nodeDir, bin, path].join(delimiter), ...extra };
}

/**
 * Runs a program to its end and resolves to its exit code (128 + n after a signal). Signals that ask this process
 * to stop are passed on; `timeoutMs` ends it; `stdout: "stderr"` keeps our stdout clean.
 */
export function run(program, args, { env = {}, stdout = "inherit", timeoutMs, shell = false } = {}) {
  const child = spawn(program, args, {
    cwd: root,
    env: childEnv(env),
    stdio: ["ignore", stdout === "stderr" ? process.stderr : stdout, "inherit"],
    shell,
  });
  return waitFor(child, timeoutMs);
}

/** Runs npm, by the very npm that started us where there is one. */
export function runNpm(args, options) {
  const own = process.env.npm_execpath;
  if (own !== undefined && /npm-cli\.c?js$/.test(own) && existsSync(own))
    return run(process.execPath, [own, ...args], options);
  return process.platform === "win32"
    ? run("npm.cmd", args, { ...options, shell: true })
    : run("npm", args, options);
}

/**
 * Becomes the program as far as that is possible: same terminal, its exit code, its end by our signals. A plain
 * Node child gets a channel that closes when this process dies, so that it cannot live on unnoticed.
 */
export function become(program, args, { env = {}, watchParent = false } = {}) {
  const stdio = ["inherit", "inherit", "inherit", ...(watchParent ? ["ipc"] : [])];
  const child = spawn(program, args, { env: childEnv(env), stdio });
  const stopWatching = watchParent ? whenNpmDies(() => child.kill("SIGTERM")) : () => {};
  return waitFor(child).finally(stopWatching);
}

function waitFor(child, timeoutMs) {
  const forward = (signal) => child.kill(signal);
  for (const signal of stopSignals) process.on(signal, forward);
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  return new Promise((resolve) => {
    const finish = (code) => {
      clearTimeout(timer);
      for (const signal of stopSignals) process.off(signal, forward);
      resolve(code);
    };
    child.on("error", () => finish(127));
    child.on("exit", (code, signal) => finish(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
