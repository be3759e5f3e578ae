/** Makes node_modules match the lock file, and does nothing quickly when it already does. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { hasNodePty, makeSpawnHelpersExecutable } from "./node-pty-files.mjs";
import { bytesIn, entriesIn, withProgress } from "./progress.mjs";
import { cacheDir, hash, report, root, SetupError } from "./project.mjs";
import { node24Path, npmCommand, npmFile, runQuietly, toolEnv } from "./run.mjs";

const modules = join(root, "node_modules");
const stampFile = join(modules, ".cache", "countersign", "installed");
const lockFile = join(root, "package-lock.json");
const stallMs = 3 * 60_000;

/** Installs when needed. @throws SetupError with the next step when that fails. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(join(cacheDir, "setup.lock"), async () => {
    if (isInstalled()) return;
    const isLocked = matchesLockFile(readJson(lockFile), readJson(join(modules, ".package-lock.json")));
    const steps = installSteps({ isLocked, hasNode24: isLocked && existsSync(node24Path()) });
    // Said before anything is downloaded, which takes minutes.
    if (steps.some(({ needsCompiler }) => needsCompiler)) requireCompiler();
    for (const step of steps) await take(step);
    makeSpawnHelpersExecutable(modules);
    mkdirSync(dirname(stampFile), { recursive: true });
    writeFileSync(stampFile, stamp());
  });
}

function isInstalled() {
  return (
    existsSync(stampFile) &&
    readFileSync(stampFile, "utf8") === stamp() &&
    existsSync(node24Path()) &&
    hasNodePty(modules)
  );
}

function stamp() {
  return hash(readFileSync(lockFile), process.platform, process.arch);
}

/**
 * What has to be done, in this order. No package runs a script but the two that need theirs: npm would otherwise start
 * node-gyp for any package that looks as if it had to be compiled, and with it ask for a compiler that is not needed.
 */
export function installSteps({ isLocked, hasNode24 }) {
  const rebuild = (name) => ["rebuild", name, "--ignore-scripts=false", "--foreground-scripts"];
  return [
    !isLocked && {
      what: "installing the dependencies (a few minutes the first time)",
      args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress"],
      hint: "Check the network, then run the same command again.",
    },
    !(isLocked && hasNode24) && {
      what: "installing Node 24",
      args: rebuild("node"),
      hint: "Check the network, then run the same command again.",
    },
    !(isLocked && hasNodePty(modules)) && {
      what: "preparing the terminal for commands",
      args: rebuild("node-pty"),
      needsCompiler: process.platform === "linux",
      hint: "Mend what it names, then run the same command again.",
    },
  ].filter(Boolean);
}

async function take({ what, args, needsCompiler = false, hint }) {
  report(what);
  const { result, isStalled } = await withProgress({
    what,
    work: (signal) => runNpm(args, signal),
    // A compiler works in silence; what comes over the network shows in one of these.
    measure: needsCompiler ? undefined : () => `${entriesIn(modules)} ${bytesIn(npmTemporaries())}`,
    stallMs: needsCompiler ? undefined : stallMs,
  });
  if (isStalled)
    throw new SetupError(
      `Nothing arrived from the npm registry for ${stallMs / 60_000} minutes. Check the network, then run the same command again.`,
    );
  if (result.code === 0) return;
  process.stderr.write(result.output);
  throw new SetupError(`${what.replace(/ \(.*/, "")} failed (npm ${args[0]}; its output is above). ${hint}`);
}

/** Runs npm as set-up needs it and resolves to its exit code and its words. */
export function runNpm(args, signal) {
  return withNpmEnv((env) => runQuietly({ ...npmCommand(args), env, signal }));
}

/**
 * Runs the work with npm's environment. Scripts of packages call npm by its name, which PATH may not have. The package
 * of Node 24 brings the headers that node-pty is compiled with; node-gyp would download others. They are named by a
 * link, since make cannot read a path with spaces in it.
 */
async function withNpmEnv(work) {
  const nested = join(modules, "node", "node_modules", `node-${process.platform}-${process.arch}`);
  const folder = mkdtempSync(join(tmpdir(), "countersign-"));
  // Playwright's browsers are fetched when the tests need one, not by an install.
  const env = { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1", PATH: [toolEnv().PATH, folder].join(delimiter) };
  try {
    // Windows makes no links for everybody, and puts npm on PATH with Node.
    if (process.platform !== "win32" && npmFile() !== undefined) symlinkSync(npmFile(), join(folder, "npm"));
    if (existsSync(join(nested, "include", "node", "node_api.h"))) {
      symlinkSync(nested, join(folder, "headers"));
      env.npm_config_nodedir = join(folder, "headers");
    }
    return await work(env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where npm keeps what is being downloaded. */
function npmTemporaries() {
  const windows = join(process.env.LOCALAPPDATA ?? homedir(), "npm-cache");
  const standard = process.platform === "win32" ? windows : join(homedir(), ".npm");
  return join(process.env.npm_config_cache ?? standard, "_cacache", "tmp");
}

/** @throws SetupError that names what is missing and how to get it. */
function requireCompiler() {
  const missing = [["python3", "python"], ["make"], ["g++", "c++", "clang++"]]
    .filter((names) => !names.some(isOnPath))
    .map(([name]) => name);
  if (missing.length === 0) return;
  throw new SetupError(
    `On Linux the terminal for commands is compiled, and ${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing. ` +
      "Install python3, make and g++ (Debian, Ubuntu: sudo apt-get install python3 make g++; " +
      "Fedora: sudo dnf install python3 make gcc-c++), then run the same command again.",
  );
}

function isOnPath(name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && existsSync(join(folder, name)));
}

/**
 * Whether an install made by hand is the locked one: npm's record of what it installed has every package of the
 * lock in the same version, save optional ones that belong to other platforms.
 */
export function matchesLockFile(locked, installed) {
  if (locked === undefined || installed === undefined) return false;
  return Object.entries(locked.packages).every(([path, { version, optional, link }]) => {
    if (path === "" || link) return true;
    const found = installed.packages[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
