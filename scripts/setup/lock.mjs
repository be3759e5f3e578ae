/** One set-up at a time: a lock file that its holder keeps fresh, and that is taken over when the holder died. */
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { report } from "./project.mjs";

const freshMs = 60_000;
const touchEveryMs = 5_000;
const pollMs = 200;

/** Runs `work` while holding the lock file; waits (and says so once) while another process holds it. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${hostname()} ${process.pid} ${Date.now()} ${Math.random()}`;
  for (let hasReported = false; !tryTake(file, mine); ) {
    if (!hasReported) report("waiting for another Countersign that is being set up");
    hasReported = true;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  const timer = setInterval(() => utimesSync(file, new Date(), new Date()), touchEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (readIfThere(file) === mine) rmSync(file, { force: true });
  }
}

function tryTake(file, mine) {
  try {
    writeFileSync(file, mine, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const holder = readIfThere(file);
  if (holder !== undefined && isDead(file, holder)) setAside(file, holder);
  return false;
}

/** A holder on this machine is dead when its process is gone; any holder is when it stopped touching the file. */
function isDead(file, holder) {
  const [host, pid] = holder.split(" ");
  if (host === hostname() && !isRunning(Number(pid))) return true;
  try {
    return Date.now() - statSync(file).mtimeMs > freshMs;
  } catch {
    return false;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Another waiter may have taken over meanwhile: what was moved is put back when it is not what was judged dead. */
function setAside(file, holder) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readIfThere(aside) !== holder) linkSync(aside, file);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(error.code)) throw error;
  }
  rmSync(aside, { force: true });
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
