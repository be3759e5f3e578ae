import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "unbash";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { findDoubt } from "../src/main/policy/plain/agreement.ts";
import type { PlainCommand, PlainWord } from "../src/main/policy/plain/plain-script.ts";
import { readPlain } from "../src/main/policy/plain/read-plain.ts";
import { startAttack } from "./attack-run.ts";
import { readWordsByBash } from "./bash-words.ts";
import { findUnprivileged } from "./unprivileged.ts";

const user = findUnprivileged();
let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "attack-words-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fragments = [
  ..."ab1à抠مि.-/_=:@%+,^!#~*?[]{}()<>|&;$`\\'\" \t\n",
  ...[
    "\\\n",
    "\\\n ",
    "'a b'",
    '"a b"',
    "\\ ",
    "\\$",
    '"\\$x"',
    '"a\\"b"',
    "'\\'",
    "$HOME",
    '"$HOME"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    "${HOME}",
  ],
  ...[
    "~",
    "~/",
    "~a",
    "a=~",
    "A=b ",
    "a#b",
    " #c\n",
    "@{u}",
    "@{1}",
    "{}",
    "{a,b}",
    "{a..b}",
    "{a",
    "..",
    "$'x'",
  ],
  ...[
    '$"x"',
    "$x",
    '"a$"',
    '"$ "',
    "$(a)",
    "`a`",
    "$((1))",
    "$[1]",
    "!",
    "!!",
    "!$",
    "a ",
    " b",
    "; ",
    " | ",
    " && ",
  ],
  ...[
    "\n",
    "c\n",
    "( a )",
    "{ a; }",
    "2>&1",
    ">f",
    "<f",
    ">>f",
    "&>f",
    "<<'E'\nx\nE\n",
    "<<E\n$x\nE\n",
    "<<<a",
  ],
  ...[
    "[a-c]",
    "[!a]",
    "*.ts",
    "é",
    "说",
    "\u00a0",
    "--x=y",
    "-n",
    "echo ",
    "cd ",
    "X=1",
    "+=",
    "a[0]=b",
    "a+=b",
  ],
  ...[
    "if ",
    "then ",
    "fi",
    "for ",
    "in ",
    "do ",
    "done",
    "case ",
    "esac",
    "time ",
    "! ",
    "[[ ",
    " ]]",
    "function ",
  ],
];

/** What the recogniser says the commands get, or undefined where it does not say it alone. */
function expectedWords(text: string): string[][] | undefined {
  const plain = readPlain(text, process.platform !== "linux");
  if (!("script" in plain)) return undefined;
  if (findDoubt({ text, plain, parsed: parse(text) }) !== undefined) return undefined;
  const commands: string[][] = [];
  for (const part of plain.script) {
    if (typeof part === "string") {
      // Which commands run behind these is decided while they run.
      if (!/^(?:&&|\||\(|\)|\{|\})$/.test(part)) return undefined;
    } else if ("pieces" in part) return undefined;
    else {
      if (!isObservable(part)) return undefined;
      if (part.words.length > 0) commands.push(part.words.map(textOf));
    }
  }
  const writes = plain.script.some(
    (part) => typeof part === "object" && "redirects" in part && part.redirects.length > 0,
  );
  const globs = /[*?[]/.test(text);
  return writes && globs ? undefined : commands;
}

function textOf(word: PlainWord): string {
  return word.pieces
    .map(({ kind, text }) => (kind === "home" || text === "HOME" ? (kind === "text" ? text : folder) : text))
    .join("");
}

/** Files are opened in the text's own folder only, and names with a slash are looked up by no stub. */
function isObservable({ words, redirects }: PlainCommand): boolean {
  const first = words[0] && textOf(words[0]);
  const named = first === undefined || (first !== "" && !/[/]|^%|^builtin$|^\[\[$/.test(first));
  const written = redirects.every(({ operator, target }) => {
    const value = target && textOf(target);
    return (
      value === undefined ||
      (/^[a-z]$/.test(value) && !operator.startsWith("<")) ||
      (operator.endsWith("&") && /^[012]$/.test(value))
    );
  });
  const plain = words.every((word) =>
    word.pieces.every(({ kind, text }) => kind !== "variable" || text === "HOME"),
  );
  // Patterns outside of the empty folder would find what is there.
  const pieces = words.flatMap((word) => word.pieces.map(({ kind }) => kind));
  const elsewhere = words.some((word) => /\/|\.\./.test(textOf(word)));
  const finds =
    pieces.includes("pattern") && (elsewhere || pieces.includes("home") || pieces.includes("variable"));
  return named && written && plain && !finds;
}

const sorted = (commands: readonly (readonly string[])[]) =>
  commands.map((each) => JSON.stringify(each)).sort();

describe("texts that three readers agree on", () => {
  it.skipIf(process.platform === "win32")("give bash exactly the words that the recogniser found", () => {
    const attack = startAttack("commands: words");
    const pick = <T>(list: readonly T[]): T => list[Math.floor(attack.random() * list.length)]!;
    let compared = 0;
    for (const _ of attack.rounds(isLongRun ? 4 : 2)) {
      const batch = new Map<string, string[][]>();
      for (let made = 0; made < 3_000 && batch.size < 150; made += 1) {
        let text = pick(["echo ", "a ", "printf ", ""]);
        for (let left = 1 + Math.floor(attack.random() * 8); left > 0; left -= 1) text += pick(fragments);
        const expected = text.includes("\0") ? undefined : expectedWords(text);
        if (expected !== undefined && expected.length > 0) batch.set(text, expected);
      }
      const texts = [...batch.keys()];
      const found = readWordsByBash(texts, folder, user);
      texts.forEach((text, at) => {
        expect(sorted(found[at]!), JSON.stringify(text)).toEqual(sorted(batch.get(text)!));
        compared += 1;
      });
    }
    expect(compared).toBeGreaterThan(200);
  });
});
