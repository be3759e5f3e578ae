/** Reads a `find` command against the closed list of predicates that neither run, delete nor write. */
import { quote } from "../../../shared/foreign-words.ts";
import type { Tools } from "../policy-context.ts";
import type { ShellWord } from "../shell-word.ts";
import type { FoundFiles, ProfileReading } from "./flag-profile.ts";
import { type FileUse, type ReadTool, readOnFiles } from "./on-files.ts";

const tests = new Set(
  "-true -false -empty -print -print0 -prune -o -or -a -and -not ! ( ) , -depth -d -mount -xdev -daystart -noleaf -nouser -nogroup -readable -writable -executable -quit -ls -ignore_readdir_race -P".split(
    " ",
  ),
);
const valued = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -perm -user -group -uid -gid -links -inum -fstype -used -printf".split(
    " ",
  ),
);
/** A name that this machine does not know may be asked of others. */
const owner = /^-(?:user|group)$/;
const files = new Set("-newer -anewer -cnewer -samefile".split(" "));

/** Names of program text, which holds no keys: only such files may be printed by what find starts. */
const programText =
  /^\*\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|swift|c|cc|cpp|h|hpp|cs|rb|php|scala|lua|md|css|scss|html|vue|svelte)$/;

/** Tests and formats that look at what a link leads to. */
const looksThrough = /^-(?:xtype|readable|writable|executable)$/;

/** The files that pass the tests in front of what takes them; with a choice or a negation any may. */
export function readFound(
  words: readonly ShellWord[],
  starts: readonly ShellWord[],
  content: boolean,
): FoundFiles {
  const tests = words.map(({ value }) => value);
  const simple = !tests.some((value) => /^(?:!|-not|-o|-or|,|\()$/.test(value));
  const valuesOf = (test: string) =>
    simple ? tests.filter((_, at) => tests[at - 1] === test && !words[at]!.glob) : [];
  return { starts, content, links: !valuesOf("-type").includes("f"), names: valuesOf("-name") };
}

/** `-exec TOOL … {} ;` or `+`, for tools that tell about the files found, or print those of harmless names. */
function readExec(
  words: readonly ShellWord[],
  at: number,
  starts: readonly ShellWord[],
  readTool: ReadTool,
): { end: number; found: FoundFiles } | undefined {
  const end = words.findIndex(({ value }, index) => index > at && (value === ";" || value === "+"));
  const inner = words.slice(at + 1, end);
  if (
    end < 0 ||
    inner.at(-1)?.value !== "{}" ||
    inner.filter(({ value }) => value.includes("{}")).length !== 1
  )
    return undefined;
  const use = readOnFiles(inner.slice(0, -1), readTool);
  const found = readFound(words.slice(0, at), starts, use !== "tells");
  if (use === undefined || (inner[0]?.value === "ls" && found.links)) return undefined;
  return mayTake(use, found) ? { end, found } : undefined;
}

/** Whether a tool may run on what was found: to tell of it or count in it always, to print it where it is program text. */
export function mayTake(use: FileUse, found: FoundFiles): boolean {
  if (use === "tells" || use === "counts") return true;
  return found.names.some((name) => programText.test(name)) && (use === "finds" || !found.links);
}

/** Reads the words after `find`. Following links (`-L`, `-H`) can lead outside and is a problem. */
export function readFind(words: readonly ShellWord[], tools: Tools, readTool: ReadTool): ProfileReading {
  const reading: ProfileReading = { content: [], metadata: [], patterns: [], flags: new Set() };
  const found: FoundFiles[] = [];
  const starts: ShellWord[] = [];
  let inExpression = false;
  // BSD's find takes what stands there for letters of options, and `-false` for a folder called `alse`.
  if (tools === "bsd" && words[0]?.value.startsWith("-"))
    reading.problem = "macOS' find wants the folder to search in front.";
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const value = word.value;
    if (word.leadingGlob) reading.problem ??= "A file pattern may turn into an action of find.";
    if (!inExpression && value !== "!" && value !== "(" && !value.startsWith("-")) starts.push(word);
    else if (tests.has(value)) inExpression = value !== "-P";
    else if (valued.has(value) || files.has(value)) {
      inExpression = true;
      at += 1;
      if (words[at] === undefined || words[at]!.leadingGlob)
        reading.problem ??= `${quote(value)} has no literal value.`;
      else if (value === "-printf" && /%[^a-zA-Z%]*\d{4}/.test(words[at]!.value))
        reading.problem ??= "A width of four digits prints without end.";
      else if (owner.test(value) && !/^(?:\d+|root)$/.test(words[at]!.value))
        reading.problem ??= `${quote(value)} takes a number here.`;
      else if (files.has(value)) reading.metadata.push(words[at]!);
    } else if (value === "-exec") {
      inExpression = true;
      const started = readExec(words, at, starts, readTool);
      if (started !== undefined) found.push(started.found);
      if (started === undefined)
        reading.problem ??= "find would start a program on files that are not known yet.";
      at = started?.end ?? at;
    } else reading.problem ??= `${quote(value)} is not among the actions of find that only list files.`;
    if (looksThrough.test(value) || (value === "-printf" && /%[^a-zA-Z%]*Y/.test(words[at]?.value ?? "")))
      found.push({ starts, content: false, links: true, names: [] });
  }
  const use = found.some(({ content }) => content) ? reading.content : reading.metadata;
  use.push(...starts);
  return { ...reading, found };
}
