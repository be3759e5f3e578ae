/** Reads and writes small JSON files that a person may edit too: parsed once per change, replaced in one step. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

type JsonRead = { kind: "absent" } | { kind: "bad"; message: string } | { kind: "value"; value: unknown };

/** Remembers what it read until the file changes. The value is shared between calls, so it must not be changed. */
export function createJsonReader(): (path: string) => JsonRead {
  const known = new Map<string, { version: string; read: JsonRead }>();
  return (path) => {
    const version = versionOf(path);
    if (version === undefined) {
      known.delete(path);
      return { kind: "absent" };
    }
    const before = known.get(path);
    if (before?.version === version) return before.read;
    const read = readJson(path);
    known.set(path, { version, read });
    return read;
  };
}

function versionOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.ino} ${found.mtimeNs} ${found.size}`;
}

function readJson(path: string): JsonRead {
  try {
    return { kind: "value", value: JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, "")) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { kind: "bad", message: `cannot be read as JSON: ${reason}` };
  }
}

/**
 * Puts the value into the file, readable for people: after a crash the file is the old one or the new one.
 * @param mode who may read it, such as 0o600 for a file with secrets. @throws the system's error as it is.
 */
export function writeJson(path: string, value: unknown, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = openSync(temporary, "wx", mode);
    try {
      writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
}
