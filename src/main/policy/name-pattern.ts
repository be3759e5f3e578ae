/** Patterns of file names: whether two of them have a name in common, and how they read as regular expressions. */

/** `run` any run of characters, `any` any one, else exactly this character. */
type Token = { kind: "run" } | { kind: "any" } | { kind: "char"; char: string };

/** A pattern of one path component, its characters in lower case. */
export type NamePattern = readonly Token[];

/**
 * Reads a shell pattern of one component, without regard to case. A bracket counts as any run of characters and reaches
 * as far as it could: shells disagree about classes, about a `]` in front and about an escaped one. Quoted characters are
 * escaped with a backslash.
 */
export function readShellPattern(component: string): NamePattern {
  const tokens: Token[] = [];
  for (let at = 0; at < component.length; at += 1) {
    const char = component[at]!;
    if (char === "\\" && at + 1 < component.length) {
      at += 1;
      tokens.push({ kind: "char", char: component[at]!.toLowerCase() });
    } else if (char === "*" || char === "[") {
      tokens.push({ kind: "run" });
      if (char === "[") at = Math.max(at, component.lastIndexOf("]"));
    } else if (char === "?") tokens.push({ kind: "any" });
    else tokens.push({ kind: "char", char: char.toLowerCase() });
  }
  return tokens;
}

/** Reads a pattern of our own tables, in which only `*` has a meaning. */
export function readTablePattern(text: string): NamePattern {
  return [...text].map((char) => (char === "*" ? { kind: "run" } : { kind: "char", char }));
}

/** The source of a regular expression that matches what a table pattern does. */
export function toExpression(text: string): string {
  return text
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\#~-]/g, "\\$&"))
    .join(".*");
}

function agree(a: Token, b: Token): boolean {
  return a.kind !== "char" || b.kind !== "char" || a.char === b.char;
}

/** Up to the first run of either, and back from the last, both have to agree token by token; most pairs do not. */
function endsDiffer(a: NamePattern, b: NamePattern): boolean {
  const differ = (way: (from: NamePattern, at: number) => Token | undefined): boolean => {
    for (let at = 0; ; at += 1) {
      const [one, other] = [way(a, at), way(b, at)];
      if (one?.kind === "run" || other?.kind === "run") return false;
      if (one === undefined || other === undefined) return one !== other;
      if (!agree(one, other)) return true;
    }
  };
  return differ((tokens, at) => tokens[at]) || differ((tokens, at) => tokens.at(-1 - at));
}

/** Whether there is a name that both patterns match, in time proportional to the product of their lengths. */
export function haveCommonName(a: NamePattern, b: NamePattern): boolean {
  if (endsDiffer(a, b)) return false;
  const width = b.length + 1;
  const can = new Uint8Array((a.length + 1) * width);
  for (let i = a.length; i >= 0; i -= 1) {
    for (let j = b.length; j >= 0; j -= 1) {
      const [left, right] = [a[i], b[j]];
      const at = i * width + j;
      let found = left === undefined && right === undefined ? 1 : 0;
      if (left?.kind === "run") found ||= can[at + width]! || (right === undefined ? 0 : can[at + 1]!);
      if (right?.kind === "run") found ||= can[at + 1]! || (left === undefined ? 0 : can[at + width]!);
      if (left && right && agree(left, right)) found ||= can[at + width + 1]!;
      can[at] = found;
    }
  }
  return can[0] === 1;
}

/** Whether a pattern only matches names that begin with a dot. */
export function isHidden(pattern: NamePattern): boolean {
  const first = pattern[0];
  return first?.kind === "char" && first.char === ".";
}
