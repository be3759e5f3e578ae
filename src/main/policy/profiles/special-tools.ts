/** Read-only tools and builtins whose words follow rules of their own instead of a flag table. */
import type { ShellWord } from "../shell-word.ts";
import { readFind } from "./find.ts";
import { type FlagProfile, type ProfileReading, readProfile } from "./flag-profile.ts";
import { readSed } from "./sed.ts";

type Reader = (words: readonly ShellWord[]) => ProfileReading;

function reading(part: Partial<ProfileReading> = {}): ProfileReading {
  return { content: [], metadata: [], patterns: [], flags: new Set(), ...part };
}

const arithmeticTests = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const nameTests = new Set(["-v", "-R"]);
const fileTests = /^-[abcdefghkprsuwxGLNOS]$/;
const fileComparisons = new Set(["-nt", "-ot", "-ef"]);

/** `test`, `[` and `[[ ]]`: names and numbers can hide subscripts that run commands. */
function readTest(words: readonly ShellWord[]): ProfileReading {
  const result = reading();
  words.forEach((word, at) => {
    if (word.glob && word.text !== "]")
      result.problem ??= "A file pattern in a test may turn into an operator.";
    if (nameTests.has(word.value)) result.problem ??= "A test on a variable's name can run a hidden command.";
    if (arithmeticTests.has(word.value)) {
      const numbers = [words[at - 1], words[at + 1]].every((each) => /^-?\d+$/.test(each?.value ?? ""));
      if (!numbers) result.problem ??= "A comparison of numbers can run a command hidden in its words.";
    }
    if (fileTests.test(word.value) && words[at + 1]) result.metadata.push(words[at + 1]!);
    if (fileComparisons.has(word.value)) {
      result.metadata.push(...[words[at - 1], words[at + 1]].filter((each) => each !== undefined));
    }
  });
  return result;
}

function readPrintf(words: readonly ShellWord[]): ProfileReading {
  const first = words[0];
  const unclear = first === undefined || first.glob || (first.value.startsWith("-") && first.value !== "--");
  const writes = unclear || words.some((word) => /%[^a-zA-Z%]*n/.test(word.value));
  return reading(writes ? { problem: "printf can write to a variable this way." } : {});
}

function matchAll(pattern: RegExp, problem: string): Reader {
  return (words) => reading(words.every((word) => !word.glob && pattern.test(word.value)) ? {} : { problem });
}

/** `set`: only the switches that make a script stop at errors. */
function readSet(words: readonly ShellWord[]): ProfileReading {
  const harmless =
    words.length > 0 &&
    words.every((word, at) => {
      if (word.value === "pipefail") return /^[-+][eu]*o$/.test(words[at - 1]?.value ?? "");
      return (
        /^[-+][eu]+$/.test(word.value) ||
        (/^[-+][eu]*o$/.test(word.value) && words[at + 1]?.value === "pipefail")
      );
    });
  return reading(harmless ? {} : { problem: "set changes how later commands are read." });
}

const jq: FlagProfile = {
  short: "acCeMnrRsSj",
  long: "compact-output color-output exit-status monochrome-output null-input raw-output raw-input slurp sort-keys join-output tab indent= stream help version",
  operands: "content",
  pattern: ["--pattern"],
};

function readJq(words: readonly ShellWord[]): ProfileReading {
  const result = readProfile(jq, words);
  const leaks = /\benv\b|\$ENV|\$__prog|\b(?:import|include|input_filename|get_search_list)\b/;
  if (result.patterns.some((filter) => leaks.test(filter))) {
    result.problem ??= "The jq filter reads the environment or other files.";
  }
  return result;
}

const dateProfile: FlagProfile = {
  short: "d:uR",
  long: "utc universal iso-8601? rfc-3339= rfc-email date= help version",
  operands: "content",
};

function readDate(words: readonly ShellWord[]): ProfileReading {
  const { problem, content } = readProfile(dateProfile, words);
  const sets = content.some((word) => word.glob || !word.value.startsWith("+"));
  return reading({ problem: problem ?? (sets ? "date with an operand sets the clock." : undefined) });
}

function readPs(words: readonly ShellWord[]): ProfileReading {
  const known = words.every((word) => /^(?:-[AefalFHj]+|-p|\d+|a?u?x|aux)$/.test(word.value));
  return reading(known ? {} : { problem: "ps with other options can print the environment of programs." });
}

/** Readers by program name. `echo` takes whatever it is given as text. */
export const specialTools: Record<string, Reader> = {
  echo: () => reading(),
  printf: readPrintf,
  test: readTest,
  "[": readTest,
  "[[": readTest,
  find: readFind,
  sed: readSed,
  jq: readJq,
  date: readDate,
  ps: readPs,
  set: readSet,
  sleep: matchAll(/^\d+(?:\.\d+)?[smhd]?$/, "sleep takes a number here."),
  exit: matchAll(/^\d{1,3}$/, "exit takes a number here."),
  return: matchAll(/^\d{1,3}$/, "return takes a number here."),
  break: matchAll(/^\d$/, "break takes a number here."),
  continue: matchAll(/^\d$/, "continue takes a number here."),
};
