/** Read-only tools and builtins whose words follow rules of their own instead of a flag table. */
import type { Tools } from "../policy-context.ts";
import type { ShellWord } from "../shell-word.ts";
import { readFind } from "./find.ts";
import { type FlagProfile, type ProfileReading, readProfile } from "./flag-profile.ts";
import type { ReadTool } from "./on-files.ts";
import { readSed } from "./sed.ts";

/** Undefined where the words are not the reading use of the tool; then it is judged like any other program. */
type Reader = (words: readonly ShellWord[], tools: Tools, readTool: ReadTool) => ProfileReading | undefined;

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

/** Text, `%%`, and conversions of one letter with at most a small width: others set variables or print without end. */
const printfFormat = /^(?:[^%]|%%|%[-+ 0#]{0,3}\d{0,3}(?:\.\d{1,3})?[sdiuoxXcbqfeg])*$/;

function readPrintf(words: readonly ShellWord[]): ProfileReading {
  const first = words[0];
  const unclear = first === undefined || first.glob || (first.value.startsWith("-") && first.value !== "--");
  const format = first?.value === "--" ? words[1] : first;
  const known = !unclear && format !== undefined && !format.glob && printfFormat.test(format.value);
  return reading(known ? {} : { problem: "This format of printf is not on the list of harmless ones." });
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
  sameEverywhere: true,
  pattern: ["--pattern"],
};

/** Functions that end by themselves, make nothing large of something small and read nothing but their input. */
const jqFunctions =
  "add all and any arrays ascii_downcase ascii_upcase booleans contains del elif else empty end endswith false first flatten from_entries fromjson group_by has if in index inside isvalid join keys keys_unsorted last length ltrimstr map map_values max max_by min min_by not null nulls numbers objects or paths path reverse rtrimstr select sort sort_by split startswith strings test then to_entries tojson tonumber tostring true type unique unique_by values with_entries";
/** In a text: what stands at a plain path. */
const put = /\\\((?:\.[A-Za-z_]\w*|\[\d{1,4}\]|\.(?=[[)]))+\)/;
const jqFilter = new RegExp(
  `^(?:[\\s|,()\\[\\]{}:?<>=!/+-]|\\.(?:\\.|[A-Za-z_]\\w*)?|"(?:[^"\\\\]|\\\\[nt"]|${put.source})*"|\\d+|@(?:csv|tsv|json|text)\\b|(?:${jqFunctions.replaceAll(" ", "|")})(?![\\w$]))*$`,
);

/** Each comma, each `..` and each place in a text may double what follows. */
function isHarmlessJq(filter: string): boolean {
  const doubling = (filter.match(/,|\\\(/g)?.length ?? 0) + 4 * (filter.match(/\.\./g)?.length ?? 0);
  return doubling <= 12 && jqFilter.test(filter);
}

function readJq(words: readonly ShellWord[], tools: Tools): ProfileReading {
  const result = readProfile(jq, words, tools);
  if (!result.patterns.every(isHarmlessJq)) {
    result.problem ??= "The jq filter holds more than paths and the functions that are known to be harmless.";
  }
  return result;
}

const seqProfile: FlagProfile = {
  short: "s:w",
  bsd: "f:s:t:w",
  long: "separator= equal-width help version",
  operands: "content",
};

/** `seq`: whole numbers below a limit, so that the output ends. */
function readSeq(words: readonly ShellWord[], tools: Tools): ProfileReading {
  const { problem, content } = readProfile(seqProfile, words, tools);
  const small = content.length <= 3 && content.every((word) => !word.glob && /^\d{1,5}$/.test(word.value));
  return reading({ problem: problem ?? (small ? undefined : "seq takes whole numbers below 100,000 here.") });
}

const dateProfile: FlagProfile = {
  short: "d:uR",
  bsd: "jnRu",
  long: "utc universal iso-8601? rfc-3339= rfc-email date= help version",
  operands: "content",
};

function readDate(words: readonly ShellWord[], tools: Tools): ProfileReading {
  const { problem, content } = readProfile(dateProfile, words, tools);
  const sets = content.some((word) => word.glob || !word.value.startsWith("+"));
  return reading({ problem: problem ?? (sets ? "date with an operand sets the clock." : undefined) });
}

const psColumns =
  /^(?:(?:pid|ppid|pgid|user|uid|comm|stat|state|etime|time|%cpu|%mem|rss|vsz|tty|nice)(?:,|$))+$/;

/** Without the words that other programs were started with, since those hold passwords and tokens. */
function readPs(words: readonly ShellWord[]): ProfileReading {
  const known = words.every((word, at) => {
    const before = words[at - 1]?.value;
    if (before === "-o") return psColumns.test(word.value);
    return before === "-p" ? /^\d+$/.test(word.value) : /^-[AeopT]$/.test(word.value);
  });
  return reading(known ? {} : { problem: "ps this way prints what other programs were started with." });
}

const xxdValue = /^(?:-[lscg]|\d+)$/;

/** `xxd`: a second operand would be written to. */
function readXxd(words: readonly ShellWord[]): ProfileReading {
  const values = words.map((word) => word.value);
  const numbered = (at: number) => /^-[lscg]$/.test(values[at - 1] ?? "") && /^\d{1,6}$/.test(values[at]!);
  const operands = words.filter((word, at) => !word.value.startsWith("-") && !numbered(at));
  const flags = values.every(
    (value, at) =>
      !value.startsWith("-") ||
      /^-[pbu]$/.test(value) ||
      (xxdValue.test(value) && numbered(at + 1 < values.length ? at + 1 : at)),
  );
  const known = flags && operands.length <= 1 && operands.every((word) => !word.glob);
  return reading(
    known ? { content: operands } : { problem: "xxd takes one file here, and would write a second." },
  );
}

/** `tar -tf` and `unzip -l`: one archive on this machine is listed. */
function readListing(form: RegExp): Reader {
  return ([flags, file, ...more]) => {
    const listed = flags !== undefined && file !== undefined && more.length === 0 && form.test(flags.value);
    if (!listed || file.glob || file.value.includes(":") || file.value.startsWith("-")) return undefined;
    return reading({ content: [file] });
  };
}

/** Readers by program name. `echo` takes whatever it is given as text. */
export const specialTools: Record<string, Reader> = {
  echo: () => reading(),
  printf: readPrintf,
  test: readTest,
  "[": readTest,
  "[[": readTest,
  find: readFind,
  xxd: readXxd,
  tar: readListing(/^-?t[zjJv]*f$/),
  unzip: readListing(/^-l$/),
  sed: readSed,
  jq: readJq,
  date: readDate,
  ps: readPs,
  set: readSet,
  seq: readSeq,
  sleep: matchAll(/^\d+(?:\.\d+)?[smhd]?$/, "sleep takes a number here."),
  exit: matchAll(/^\d{1,3}$/, "exit takes a number here."),
  return: matchAll(/^\d{1,3}$/, "return takes a number here."),
  break: matchAll(/^\d$/, "break takes a number here."),
  continue: matchAll(/^\d$/, "continue takes a number here."),
};
