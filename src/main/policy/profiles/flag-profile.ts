/** Reads the words of a read-only tool against the closed list of flags that are known to be harmless. */
import { quote } from "../../../shared/foreign-words.ts";
import type { Tools } from "../policy-context.ts";
import type { ShellWord } from "../shell-word.ts";

/** What a tool does with its operands: prints what the files hold, only looks at them, or takes plain text. */
type OperandUse = "content" | "metadata" | "text" | "none";

/**
 * One tool. `short` lists letters as getopt does: `a` takes nothing, `a:` takes text, `a<` takes a file that is
 * read. `long` lists names parted by spaces: `name` takes nothing, `name=` text, `name?` optional text, `name<` a file.
 */
export type FlagProfile = {
  short?: string;
  /**
   * The letters of macOS' tool of this name, written like `short`. Without them `short` holds there too: macOS brings no
   * such tool, and one that was added has GNU's letters.
   */
  bsd?: string;
  /** The same program on every system, which finds its options behind operands too. */
  sameEverywhere?: boolean;
  long?: string;
  operands: OperandUse;
  /** The first operand is a search pattern unless one of these flags gave it. */
  pattern?: readonly string[];
  maxOperands?: number;
  /** An option that is not on the list can write or run something, so no file name may ever be taken for one. */
  optionsCanWrite?: boolean;
  /** A word that begins with `@`, wherever it stands, is replaced by the words that the file of that name holds. */
  wordFiles?: boolean;
  /** `-5` and `+5` are numbers. */
  numbers?: boolean;
};

/** Files that a tool comes by while it runs, which are not among its words. */
export type FoundFiles = {
  /** The folders below which they are; none of them means the folder in which the command runs. */
  starts: readonly ShellWord[];
  /** What they hold is printed, counted or searched, and not only looked at from outside. */
  content: boolean;
  /** There may be links among them that are followed. */
  links: boolean;
  /** Each of their names matches all of these. */
  names: readonly string[];
};

/** The reading of a tool's words. With a `problem`, nothing else counts. */
export type ProfileReading = {
  problem?: string;
  content: ShellWord[];
  metadata: ShellWord[];
  patterns: string[];
  flags: Set<string>;
  /** The texts that options were given, by option. */
  values?: Map<string, string[]>;
  /** Values of options that would be files if the tool at hand knew the option as one without a value. */
  perhapsFiles?: ShellWord[];
  found?: readonly FoundFiles[];
  /** A file pattern stands where a file named like an option would be taken for one. */
  mayBeFlag?: boolean;
};

type Kind = "" | ":" | "<" | "?";

function readShort(spec: string): Map<string, Kind> {
  return new Map([...spec.matchAll(/([A-Za-z0-9@])([:<]?)/g)].map((each) => [each[1]!, each[2] as Kind]));
}

function readLong(spec: string): Map<string, Kind> {
  const kinds: Record<string, Kind> = { "=": ":", "<": "<", "?": "?" };
  const entries = spec.split(/\s+/).filter((each) => each !== "");
  return new Map(entries.map((each) => [each.replace(/[=<?]$/, ""), kinds[each.at(-1)!] ?? ""]));
}

type Reader = {
  reading: ProfileReading;
  words: readonly ShellWord[];
  at: number;
  profile: FlagProfile;
  manner: Tools;
};

function take(reader: Reader, flag: string, kind: Kind, inline: ShellWord | undefined): void {
  reader.reading.flags.add(flag);
  if (kind === "") return;
  let value = inline;
  if (value === undefined) {
    reader.at += 1;
    value = reader.words[reader.at];
    if (reader.profile.wordFiles && value?.value.startsWith("@"))
      reader.reading.problem ??= "A word that begins with @ names a file that holds further words.";
    // Of several names that match, only the first would be the value, and the others files to read.
    if (value?.glob) reader.reading.problem ??= `The value of ${quote(flag)} is a file pattern.`;
  }
  if (value === undefined) reader.reading.problem ??= `The option ${quote(flag)} has no value.`;
  else reader.reading.values?.set(flag, [...(reader.reading.values.get(flag) ?? []), value.value]);
  if (value === undefined) return;
  if (inline === undefined && !reader.profile.pattern?.includes(flag))
    reader.reading.perhapsFiles?.push(value);
  if (kind === "<") reader.reading.content.push(value);
  else if (reader.profile.pattern?.includes(flag)) reader.reading.patterns.push(value.value);
}

function slice(word: ShellWord, from: number): ShellWord {
  return { ...word, value: word.value.slice(from), pattern: word.value.slice(from) };
}

function readLongFlag(reader: Reader, word: ShellWord, long: Map<string, Kind>): void {
  const equals = word.value.indexOf("=");
  const name = word.value.slice(2, equals < 0 ? undefined : equals);
  const kind = long.get(name);
  if (kind === undefined) {
    reader.reading.problem ??= `The option ${quote(`--${name}`)} is not on the list of harmless ones.`;
  } else if (equals < 0) {
    // Which long options take a value differs: macOS' `grep --context 5 .env` looks for 5 in .env.
    if (reader.manner === "bsd" && kind !== "" && kind !== "?")
      reader.reading.problem ??= `On macOS ${quote(`--${name}`)} may not take the next word. Write ${quote(`--${name}`)}=… instead.`;
    take(reader, `--${name}`, kind === "?" ? "" : kind, undefined);
  } else if (kind === "") {
    reader.reading.problem ??= `The option ${quote(`--${name}`)} takes no value.`;
  } else take(reader, `--${name}`, kind === "?" ? ":" : kind, slice(word, equals + 1));
}

function readShortFlags(reader: Reader, word: ShellWord, short: Map<string, Kind>): void {
  for (let at = 1; at < word.value.length; at += 1) {
    const flag = word.value[at]!;
    const kind = short.get(flag);
    if (kind === undefined) {
      const where = reader.manner === "bsd" ? " of macOS" : "";
      reader.reading.problem ??= `The option ${quote(`-${flag}`)} is not on the list of harmless ones${where}.`;
      return;
    }
    const rest = word.value.length > at + 1 && kind !== "" ? slice(word, at + 1) : undefined;
    take(reader, `-${flag}`, kind, rest);
    if (kind !== "") return;
  }
}

function takeOperands(reader: Reader, operands: ShellWord[]): void {
  const { profile, reading } = reader;
  let files = operands;
  if (profile.pattern !== undefined && !profile.pattern.some((flag) => reading.flags.has(flag))) {
    if (operands[0] !== undefined) reading.patterns.push(operands[0].value);
    if (operands[0]?.glob) reading.problem ??= "What is searched for is a file pattern.";
    files = operands.slice(1);
  }
  if (
    profile.maxOperands !== undefined &&
    (files.length > profile.maxOperands || files.some((word) => word.glob))
  ) {
    reading.problem ??= "A further operand would be written to, or means something else.";
  }
  if (profile.operands === "none" && files.length > 0) reading.problem ??= "The tool takes no operands here.";
  if (profile.operands === "content") reading.content.push(...files);
  if (profile.operands === "metadata") reading.metadata.push(...files);
}

/** Whether a pattern can only match more of the same option, because its name and `=` are literal: `--include=*.ts`. */
function isValueOf({ text, value }: ShellWord, long: Map<string, Kind>): boolean {
  const name = /^--([a-z-]+)=/.exec(value)?.[1];
  return name !== undefined && text.startsWith(`--${name}=`) && long.get(name) === ":";
}

/**
 * Reads the words after the tool's name. Unknown, abbreviated or valueless flags end in a `problem`. In BSD's manner
 * nothing behind the first operand is an option, whatever it looks like: it is a further operand.
 */
export function readProfile(profile: FlagProfile, words: readonly ShellWord[], tools: Tools): ProfileReading {
  const manner = profile.sameEverywhere ? "gnu" : tools;
  const reading: ProfileReading = {
    content: [],
    metadata: [],
    patterns: [],
    flags: new Set(),
    values: new Map(),
  };
  const usesFiles = profile.operands === "content" || profile.operands === "metadata";
  if (manner === "bsd" && usesFiles) reading.perhapsFiles = [];
  const reader: Reader = { reading, words, at: 0, profile, manner };
  const short = readShort((manner === "bsd" ? profile.bsd : undefined) ?? profile.short ?? "");
  const long = readLong(profile.long ?? "");
  const operands: ShellWord[] = [];
  let flagsEnded = false;
  for (; reader.at < words.length; reader.at += 1) {
    const word = words[reader.at]!;
    const value = word.value;
    if (manner === "bsd" && operands.length > 0) flagsEnded = true;
    if (profile.wordFiles && value.startsWith("@"))
      reading.problem ??= "A word that begins with @ names a file that holds further words.";
    if (word.leadingGlob && !flagsEnded && profile.operands !== "text") {
      reading.mayBeFlag = true;
      if (profile.optionsCanWrite) reading.problem ??= "A file pattern may turn into an option that writes.";
    }
    if (flagsEnded || value === "-" || !/^[-+]/.test(value)) operands.push(word);
    else if (value === "--") flagsEnded = true;
    else if (profile.numbers && /^[-+]\d+$/.test(value)) reading.flags.add("-number");
    else if (value.startsWith("+")) operands.push(word);
    else if (word.glob && !isValueOf(word, long)) reading.problem ??= "An option holds a file pattern.";
    else if (value.startsWith("--")) readLongFlag(reader, word, long);
    else readShortFlags(reader, word, short);
  }
  takeOperands(reader, operands);
  return reading;
}
