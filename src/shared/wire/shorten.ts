/** Makes a value of the contract small enough to travel in a list: long texts keep head and tail, long lists their head. */
import { endOfFit, jsonBytes, startOfFit, utf8Bytes } from "./json-bytes.ts";

/** `leftOut`: how many bytes of its JSON the value has lost; 0 when it is the value itself. */
export type Shortened<T> = { value: T; leftOut: number };

/** Bytes of JSON a text may keep, and members a list may. Each step is tried until the whole is small enough. */
type Step = { textBytes: number; members: number };
const steps: readonly Step[] = [
  { textBytes: 65_536, members: 1_000 },
  { textBytes: 16_384, members: 200 },
  { textBytes: 4_096, members: 50 },
  { textBytes: 1_024, members: 20 },
  { textBytes: 256, members: 5 },
];

/** Members whose shape is a tool's and not the contract's: they may lose members of their own. */
const openMembers = new Set(["args", "originalArgs", "finalArgs", "argsSchema", "answer", "value"]);
/** Members that name something: half a name is another name. */
const names = /^(?:id|digest|(?:item|parentItem|message|turn|thread|approval|execution)Id)$/;

/** The value itself when it fits; else a copy of the same shape in which texts and lists say what they left out. */
export function shorten<T>(value: T, mostBytes: number): Shortened<T> {
  const bytes = jsonBytes(value);
  if (bytes <= mostBytes) return { value, leftOut: 0 };
  let cut: T = value;
  let left = bytes;
  for (const step of steps) {
    cut = cutMember(value, step) as T;
    left = jsonBytes(cut);
    if (left <= mostBytes) break;
  }
  return { value: cut, leftOut: Math.max(1, bytes - left) };
}

/** The text itself when its JSON fits; else its head and its tail with a line between them that says what is missing. */
export function shortenText(text: string, mostBytes: number): string {
  // A unit takes six bytes at most, so that most texts need no counting.
  if (text.length * 6 <= mostBytes || endOfFit(text, mostBytes) === text.length) return text;
  const head = endOfFit(text, mostBytes / 2);
  const tail = startOfFit(text, mostBytes / 4);
  return `${text.slice(0, head)}\n… ${tail - head} characters left out …\n${text.slice(tail)}`;
}

function cutMember(value: unknown, step: Step): unknown {
  if (typeof value === "string") return shortenText(value, step.textBytes);
  if (Array.isArray(value)) return value.slice(0, step.members).map((one) => cutMember(one, step));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (names.test(name)) return [name, member];
      return [name, openMembers.has(name) ? cutOpen(member, step) : cutMember(member, step)];
    }),
  );
}

/** Of a record the first members, each as it is or as a piece of its text; anything else as a piece of its JSON. */
function cutOpen(value: unknown, step: Step): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return cutOpenMember(value, step);
  const members = Object.entries(value);
  const kept = members
    .slice(0, step.members)
    .map(([name, member]) => [shortenText(name, 256), cutOpenMember(member, step)]);
  if (members.length > kept.length) kept.push(["…", `${members.length - kept.length} more`]);
  return Object.fromEntries(kept);
}

function cutOpenMember(value: unknown, step: Step): unknown {
  if (typeof value === "string") return shortenText(value, step.textBytes);
  const json = JSON.stringify(value) ?? "";
  return utf8Bytes(json) <= step.textBytes ? value : shortenText(json, step.textBytes);
}
