/** Windows refuses to move, replace or remove a file that another program has open: mostly for a moment, while it is scanned. */
import { setTimeout as pause } from "node:timers/promises";

/** Node's names for a sharing violation; the first two also stand for a permission that is missing. */
const busyCodes = ["EPERM", "EACCES", "EBUSY"];
/** Together a second, after which a person is told. */
const attempts = 20;
const pauseMs = 50;

/** A file that stayed busy; `code` is `EBUSY` whatever the system called it. */
export class BusyFileError extends Error {
  readonly code = "EBUSY";
  constructor(path: string, cause: unknown) {
    super(`${path} could not be changed: another program has it open. Close it there, then try again.`, {
      cause,
    });
    this.name = "BusyFileError";
  }
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && busyCodes.includes(String(cause.code));
}

/**
 * Does what moves or removes `path`, on Windows again for about a second while something else has it open.
 * @throws BusyFileError when it stays so; any other error as it is, at once.
 */
export async function whileBusy<T>(
  path: string,
  act: () => Promise<T>,
  platform: NodeJS.Platform = process.platform,
  wait: () => Promise<unknown> = () => pause(pauseMs),
): Promise<T> {
  if (platform !== "win32") return act();
  for (let left = attempts; ; left -= 1) {
    try {
      return await act();
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      if (left === 0) throw new BusyFileError(path, cause);
    }
    await wait();
  }
}

/**
 * The same for the few small files that are written while everything else waits.
 * @throws BusyFileError when another program never lets go of it.
 */
export function whileBusySync<T>(
  path: string,
  act: () => T,
  platform: NodeJS.Platform = process.platform,
  wait: () => void = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs),
): T {
  if (platform !== "win32") return act();
  for (let left = attempts; ; left -= 1) {
    try {
      return act();
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      if (left === 0) throw new BusyFileError(path, cause);
    }
    wait();
  }
}
