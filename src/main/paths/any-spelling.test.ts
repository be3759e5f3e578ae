/** However a path is spelled: policy and files take it for the same place, and what is far is never looked at. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { type Disk, locate } from "../files/real-path.ts";
import { judgeFile } from "../policy/judge-file.ts";
import { askFiles, askPolicy, contextOf, far, type System, systems } from "./testing/two-readers.ts";

type Manner = {
  /** A path below the workspace, part by part, and where it leads. */
  places: readonly (readonly [parts: string[], leadsTo: string])[];
  /** What stands for the workspace in front of it. */
  beginnings: readonly string[];
  /** What may stand between two parts, and means nothing. */
  joints: readonly string[];
  /** Other ways to write one part. */
  respell(part: string, choices: readonly number[]): string;
};

const flipCase = (text: string, choices: readonly number[]) =>
  [...text]
    .map((char, at) => (choices[at % choices.length]! % 2 === 1 ? char.toUpperCase() : char.toLowerCase()))
    .join("");

const manners: Record<string, Manner> = {
  Linux: {
    places: [
      [["src", "a.ts"], "src/a.ts"],
      [["in", "a.ts"], "src/a.ts"],
      [["README.md"], "README.md"],
      [["out", "passwd"], "> /etc/passwd"],
      [["..", "..", "ada", ".ssh"], "> /home/ada/.ssh"],
    ],
    beginnings: [
      "",
      "./",
      "/home/ada/app/",
      "//home/./ada/app/",
      "~/app/",
      "src/../",
      "in/../",
      "/home/ada/app/out/../home/ada/app/",
    ],
    joints: ["/", "//", "/./"],
    respell: (part) => part,
  },
  macOS: {
    places: [
      [["src", "a.ts"], "src/a.ts"],
      [["in", "a.ts"], "src/a.ts"],
      [["README.md"], "README.md"],
      [["Café"], "Caf\u0065\u0301"],
      [["secrets.json"], "secrets.json"],
      [["out", "hosts"], "> /private/etc/hosts"],
    ],
    beginnings: ["", "./", "/Users/ada/App/", "/users/ADA/app/", "~/App/", "src/../", "in/../", "../app/"],
    joints: ["/", "//", "/./"],
    respell(part, choices) {
      const form = choices[0]! % 2 === 0 ? "NFC" : "NFD";
      const long = choices[1]! % 3 === 0 ? part.replace(/s(?!.*s)/, "\u017f") : part;
      return flipCase(long.normalize(form), choices);
    },
  },
  Windows: {
    places: [
      [["src", "a.ts"], "src/a.ts"],
      [["in", "a.ts"], "src/a.ts"],
      [["README.md"], "README.md"],
      [["Long Name.txt"], "Long Name.txt"],
      [["junction", ".ssh"], "> C:\\Users\\ada\\.ssh"],
      [["..", "..", "Users", "ada"], "> C:\\Users\\ada"],
    ],
    beginnings: [
      "",
      ".\\",
      "C:\\Ws\\App\\",
      "c:/ws/app/",
      "\\WS\\App/",
      "..\\app\\",
      "gone\\..\\",
      "~\\..\\..\\ws\\app\\",
      "src/../",
    ],
    joints: ["\\", "/", "\\\\", "//", "/.\\", "\\gone\\..\\"],
    respell(part, choices) {
      const short = { "Long Name.txt": "LONGNA~1.TXT", "README.md": "README~1.MD" }[part];
      return flipCase(short !== undefined && choices[1]! % 3 === 0 ? short : part, choices);
    },
  },
};

const choices = fc.array(fc.nat(5), { minLength: 8, maxLength: 8 });

/** A spelling of one of the places, with where it leads. */
function spellings({ places, beginnings, joints, respell }: Manner) {
  return fc
    .tuple(
      fc.constantFrom(...places),
      fc.constantFrom(...beginnings),
      fc.array(fc.constantFrom(...joints), { minLength: 4, maxLength: 4 }),
      choices,
    )
    .map(([[parts, leadsTo], beginning, between, chosen]) => {
      const written = parts.map((part, at) => (at === 0 ? "" : between[at % 4]!) + respell(part, chosen));
      return [beginning + written.join(""), leadsTo] as const;
    });
}

/** Asks both, and whoever judges or shows the path, and tells what was looked at. */
async function ask(text: string, system: System) {
  const [forPolicy, forFiles, forCards] = [system.makeDisk(), system.makeDisk(), system.makeDisk()];
  const answers = [askPolicy(text, system, forPolicy), await askFiles(text, system, forFiles)];
  const context = { ...contextOf(system, forCards), rules: [] };
  for (const operation of ["read", "write", "delete"] as const) judgeFile({ operation, path: text }, context);
  const disk: Disk = { style: system.style, names: forCards, home: system.home };
  for (const options of [{}, { elsewhereByText: true }, { keepLink: true }])
    await locate(system.root, text, options, disk).catch(() => undefined);
  return { answers, looks: [...forPolicy.looks, ...forFiles.looks, ...forCards.looks] };
}

describe.each(Object.entries(manners))("a path on %s", (name, manner) => {
  const system = systems[name]!;

  it("leads to one place in every spelling, for policy and files alike", async () => {
    await fc.assert(
      fc.asyncProperty(spellings(manner), async ([text, leadsTo]) => {
        const { answers, looks } = await ask(text, system);
        expect(answers, text).toEqual([leadsTo, leadsTo]);
        if (name !== "Linux")
          expect(
            looks.filter((path) => far.test(path)),
            text,
          ).toEqual([]);
      }),
      { numRuns: runsOf(400) },
    );
  });
});

/** One part of a path spoiled so that it names no file of the workspace, or all of it so that it lies elsewhere. */
const spoilers: readonly (readonly [string, (text: string, chosen: readonly number[]) => string, string])[] =
  [
    [
      "a stream",
      (text, chosen) => text + [":s", "::$DATA", ":$I30:$INDEX_ALLOCATION", ":"][chosen[0]! % 4],
      "no file",
    ],
    [
      "an end that is left out",
      (text, chosen) => text + [".", " ", " .", ". .", "...", ". "][chosen[0]!],
      "no file",
    ],
    [
      "such an end of a folder",
      (text, chosen) => text + [".", " "][chosen[0]! % 2] + ["\\x", "/x"][chosen[1]! % 2],
      "no file",
    ],
    [
      "a device",
      (text, chosen) =>
        `${text}\\${flipCase(["con", "nul", "aux.txt", "com1.tar.gz", "lpt9", "conin$"][chosen[0]!]!, chosen)}`,
      "no file",
    ],
    [
      "a device namespace",
      (text, chosen) => ["\\\\?\\", "\\\\.\\", "//?/", "\\??\\", "//./", "\\\\?\\UNC\\"][chosen[0]!] + text,
      "no file",
    ],
    ["a drive's own folder", (text) => `C:${text}`, "no file"],
    [
      "another drive",
      (text, chosen) => `${["D", "d", "Z"][chosen[0]! % 3]}:${["\\", "/"][chosen[1]! % 2]}${text}`,
      "elsewhere",
    ],
    [
      "another machine",
      (text, chosen) =>
        `${["\\\\", "//", "\\/", "/\\", "\\\\\\", "///"][chosen[0]!]}${flipCase("evil", chosen)}\\c$\\${text}`,
      "elsewhere",
    ],
  ];

describe("a path on Windows that names no file of its drive", () => {
  const system = systems.Windows!;
  const relative = { ...manners.Windows!, beginnings: [""], joints: ["\\", "/"] };
  const plain = { ...relative, places: relative.places.filter(([parts]) => parts[0] !== "..") };

  it.each(spoilers)("as with %s is refused by its text, before any look", async (_name, spoil, leadsTo) => {
    await fc.assert(
      fc.asyncProperty(spellings(plain), choices, async ([text], chosen) => {
        const { answers, looks } = await ask(spoil(text, chosen), system);
        expect([answers, looks], spoil(text, chosen)).toEqual([[leadsTo, leadsTo], []]);
      }),
      { numRuns: runsOf(60) },
    );
  });
});

describe("a path on macOS that names another machine", () => {
  it("is known in every spelling, before any look", async () => {
    const machine = fc
      .tuple(
        fc.constantFrom("net", "Network", "System/Volumes/Data/net"),
        fc.constantFrom("/", "//", "/./", "/Users/../", "../../../"),
        choices,
      )
      .map(([folder, beginning, chosen]) => `${beginning}${flipCase(folder, chosen)}/evil/x`);
    await fc.assert(
      fc.asyncProperty(machine, async (text) => {
        const { answers, looks } = await ask(text, systems.macOS!);
        expect([answers, looks], text).toEqual([["elsewhere", "elsewhere"], []]);
      }),
      { numRuns: runsOf(100) },
    );
  });
});
