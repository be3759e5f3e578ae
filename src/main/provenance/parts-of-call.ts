/** What of a call's arguments says where its effect goes, and what is carried there. */
import { kindOf, type ToolKind } from "../../shared/tools/tools.ts";
import { addressesIn, type Span, unreadableIn } from "./addresses.ts";

/**
 * address: whom it reaches, which the person has to have written · place: likewise, but enough is that no text of others
 * says it · unreadable: nobody can tell what it says · content: all that is carried.
 */
export type PartKind = "address" | "place" | "unreadable" | "content";

/** @property argument its name, with those above it: `recipients.0` */
export type CallPart = Span & { kind: PartKind; argument: string; value: string };

type Leaf = { argument: string; name: string; value: string };

/** Arguments that are longer are not looked through: nobody can tell what they say. */
const mostChars = 60_000;

/** Each text of the arguments as content, and in it whatever says where the effect goes; a part may be both. */
export function partsOfCall(tool: string, args: Record<string, unknown>): CallPart[] {
  const kind = kindOf(tool);
  const leaves = leavesOf(args, "", "");
  const longest = leaves.toSorted((a, b) => b.value.length - a.value.length)[0];
  const chars = leaves.reduce((sum, { value }) => sum + value.length, 0);
  if (longest && chars > mostChars)
    return [toPart(longest, "unreadable", { start: 0, end: longest.value.length })];
  return leaves.flatMap((leaf) => {
    const shared = (spans: Span[], part: PartKind) => spans.map((span) => toPart(leaf, part, span));
    const whole = { start: 0, end: leaf.value.length };
    const content = [toPart(leaf, "content", whole), ...shared(unreadableIn(leaf.value), "unreadable")];
    return [...content, ...(partsByKind[kind]?.(leaf, shared, whole) ?? shared([whole], "address"))];
  });
}

type ByKind = (leaf: Leaf, toParts: (spans: Span[], part: PartKind) => CallPart[], whole: Span) => CallPart[];

const partsByKind: Partial<Record<ToolKind, ByKind>> = {
  command: ({ name, value }, toParts) => (name === "command" ? partsOfCommand(value, toParts) : []),
  change({ name, value }, toParts, whole) {
    if (name === "file_path" || name === "new_path") return toParts([whole], "place");
    // What is there already has to be there, whoever wrote it.
    return name === "old_string" ? [] : toParts(addressesIn(value, false), "address");
  },
  web: (_leaf, toParts, whole) => toParts([whole], "address"),
  foreign({ name, value }, toParts, whole) {
    if (saysNothing.test(value)) return [];
    return contentNames.test(name)
      ? toParts(addressesIn(value, true), "address")
      : toParts([whole], "address");
  },
};

/** Where servers' tools take what is written, by the names they use; anything else may say where it goes. */
const contentNames =
  /^(?:body|comment|content|description|html|location|markdown|message|note|notes|subject|summary|text|title)$/i;

/** A moment, or yes and no. */
const saysNothing =
  /^(?:|true|false|null|(?:19|20)\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?|\d\d:\d\d(?::\d\d)?)$/i;

/** What these add comes from elsewhere, whatever its name looks like. */
const adding =
  /(?:^|[\s;&|(])(?:npm|pnpm|yarn|bun|pip3?|uv|cargo|gem|go|apt|apt-get|brew|composer|deno|dotnet)\s+(?:-\S+\s+)*(?:i|in|install|add|get|require|init|create|dlx|exec|x)\s/u;
/** These run what is there, or fetch it. */
const running = /(?:^|[\s;&|(])(?:npx|pnpx|bunx|uvx|pipx)\s/u;
/** What has more is not looked through. */
const mostWords = 1_000;
const shellWords = /[^\s;&|()<>]+/gu;
const isSwitch = /^-{1,2}[\w-]+$/u;
const likePlace = /[./\\@:]/u;
/** Put together only when it runs. */
const madeLater = /[$`]|\{.*,.*\}/u;

function partsOfCommand(command: string, toParts: (spans: Span[], part: PartKind) => CallPart[]): CallPart[] {
  const found = [...command.matchAll(shellWords)];
  if (found.length > mostWords) return toParts([{ start: 0, end: command.length }], "unreadable");
  const words = found.map(({ index, 0: written }) => ({
    start: index,
    end: index + written.length,
    // As the shell joins it: quotes inside of a word hide none of it.
    word: written.replace(/["'\\]/gu, ""),
  }));
  const operands = words.slice(1).filter(({ word }) => !isSwitch.test(word));
  const [isAdding, isRunning] = [adding.test(command), running.test(command)];
  const parts = operands.flatMap(({ word, start, end }): CallPart[] => {
    const part = (kind: PartKind, value: string) => ({ kind, argument: "command", value, start, end });
    if (madeLater.test(word)) return [part("unreadable", word)];
    // A name with a dot and no folder may be a file or a host: whoever means a file can write ./ before it.
    const addresses = addressesIn(word, !word.includes("/")).map((span) =>
      part("address", word.slice(span.start, span.end)),
    );
    if (isAdding) return [part("address", word)];
    return likePlace.test(word) || isRunning ? [...addresses, part("place", word)] : addresses;
  });
  return [...parts, ...toParts(addressesIn(command, false), "address")];
}

function toPart({ argument, value }: Leaf, kind: PartKind, { start, end }: Span): CallPart {
  return { kind, argument, value: value.slice(start, end), start, end };
}

/** Every text and number in the arguments, and the names that a tool did not give. */
function leavesOf(value: unknown, argument: string, name: string): Leaf[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, `${argument}.${index}`, name));
  if (typeof value === "object")
    return Object.entries(value).flatMap(([key, one]) =>
      leavesOf(one, argument === "" ? key : `${argument}.${key}`, key),
    );
  return [{ argument, name, value: String(value) }];
}
