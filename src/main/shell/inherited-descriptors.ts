/** Keeps track of the descriptors that a new program would inherit, since none of them are its business. */

import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

const descriptors = "/proc/self/fdinfo";
const firstBeyondStandard = 3;
/** `O_CLOEXEC`, the same on every architecture Node runs on. */
const closesOnExec = 0o2000000;

function isInherited(descriptor: string): boolean {
  try {
    // Node reads UTF-8 in one call, other encodings in several.
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`${descriptors}/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0;
  } catch {
    // Closed meanwhile.
    return false;
  }
}

/** The lowest free number, which the next thing that is opened will get. */
function nextNumber(): string {
  const descriptor = openSync("/dev/null", "r");
  closeSync(descriptor);
  return String(descriptor);
}

/**
 * The terminals of other commands, which node-pty leaves open for every new program, and in a process of Electron
 * whatever Chromium has open. Linux only: on macOS node-pty itself closes what a program should not have.
 *
 * A look lists the open numbers and reads only those that were not open at the last look, since this stands between a
 * command and its start. A number may change hands between two looks: terminals are therefore told of, and whoever
 * closes something has another look afterwards.
 */
class InheritedDescriptors {
  /** Every number that was open at the last look, and whether a new program would inherit it. */
  #known = new Map<string, boolean>();
  #willLook = false;

  /** The numbers a program started now would inherit. One that has been closed meanwhile does no harm. */
  find(): string[] {
    if (process.platform !== "linux") return [];
    const before = this.#known;
    this.#known = new Map();
    // Open only while the folder is read, so nothing may be kept in mind for this number.
    const reader = nextNumber();
    for (const number of readdirSync(descriptors)) {
      if (Number(number) >= firstBeyondStandard && number !== reader)
        this.#known.set(number, before.get(number) ?? isInherited(number));
    }
    return [...this.#known.keys()].filter((number) => this.#known.get(number));
  }

  /** A terminal was opened under this number, which something else may have had at the last look. */
  addTerminal(descriptor: number): void {
    this.#known.set(String(descriptor), true);
  }

  /** Something was closed: looks again soon, and once for all that is closed until then. */
  lookSoon(): void {
    if (this.#willLook) return;
    this.#willLook = true;
    setImmediate(() => {
      this.#willLook = false;
      this.find();
    }).unref();
  }
}

/** Of this process, so there is one. */
export const inheritedDescriptors = new InheritedDescriptors();
