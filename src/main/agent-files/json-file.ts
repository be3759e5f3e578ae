/** Reads and writes small JSON files that a person may edit too: parsed once per change, comments kept, replaced in one step. */
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
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { messageOf } from "../../shared/message-of.ts";
import { whileBusySync } from "../base/while-busy.ts";
import { describeRefusal } from "../storage/storage-error.ts";
import { lineAt } from "./file-problem.ts";
import { keepComments } from "./keep-comments.ts";

type JsonRead =
  | { kind: "absent" }
  | { kind: "bad"; line: number; message: string }
  | { kind: "value"; value: unknown; text: string };

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
  let text: string;
  try {
    text = readText(path);
  } catch (cause) {
    const reason = describeRefusal(cause) ?? messageOf(cause);
    return { kind: "bad", line: 1, message: `cannot be read: ${reason}` };
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: false });
  const [first] = errors;
  if (!first) return { kind: "value", value, text };
  const message = `cannot be read as JSON: ${wordsOf(first)}`;
  return { kind: "bad", line: lineAt(text, first.offset), message };
}

function readText(path: string): string {
  return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
}

const parseErrorWords: Record<string, string> = {
  InvalidSymbol: "there is a word that is not in quotes.",
  InvalidNumberFormat: "there is a number that is written wrongly.",
  PropertyNameExpected: "the name of a field is missing, in double quotes.",
  ValueExpected: "a value is missing.",
  ColonExpected: "a colon is missing.",
  CommaExpected: "a comma is missing.",
  CloseBraceExpected: "a closing brace is missing.",
  CloseBracketExpected: "a closing bracket is missing.",
  EndOfFileExpected: "something follows after its end.",
  UnexpectedEndOfComment: "a comment is not closed.",
  UnexpectedEndOfString: "a text in quotes is not closed.",
};

function wordsOf({ error }: ParseError): string {
  const code = printParseErrorCode(error);
  return parseErrorWords[code] ?? "there is a character that does not belong there.";
}

/**
 * Puts the value into the file, readable for people: after a crash the file is the old one or the new one.
 * The comments of the file that is there stay.
 * @param mode who may read it, such as 0o600 for a file with secrets. @throws the system's error as it is.
 */
export function writeJson(path: string, value: unknown, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  const before = versionOf(path) === undefined ? "" : readText(path);
  try {
    const file = openSync(temporary, "wx", mode);
    try {
      writeFileSync(file, keepComments(before, value));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    whileBusySync(path, () => renameSync(temporary, path));
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
}
