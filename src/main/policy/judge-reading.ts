/** The nature of a unit whose program only reads: what it would print, and what speaks against that. */
import { describeArchives, onlySums } from "./archives.ts";
import { describeBroadSearch } from "./broad-search.ts";
import { effectOnWords, findFirst, isLiteral, type Nature, reads } from "./nature.ts";
import type { Scene, Tools } from "./policy-context.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import type { ShellWord } from "./shell-word.ts";
import { judgePath } from "./unit-paths.ts";
import { isStricter } from "./verdict.ts";
import { describeWideOutput } from "./wide-output.ts";

/** Why a file pattern may become an option: a file here is named like one, or nobody can say. */
function findFlagNames({ context, cwds }: Scene): string | undefined {
  const names = cwds.map((cwd) => context.look?.namesIn(cwd));
  const odd = names.some((each) => each === undefined || each.some((name) => /^[-+@]/.test(name)));
  return odd ? "A file pattern may turn into an option." : undefined;
}

/** A pattern that stands in the word itself: one that a loop's variable brings was expanded when the loop began. */
function isExpandedHere({ glob, text }: ShellWord): boolean {
  return glob && /[*?[]/.test(text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs, ""));
}

/** The nature of a tool whose words were read so. */
export function judgeReading(
  reading: ProfileReading,
  words: ShellWord[],
  name: string,
  scene: Scene,
): Nature {
  const { content, metadata, perhapsFiles = [] } = reading;
  const use = onlySums(name) ? "sum" : "read";
  const found =
    findFirst(content.filter(isLiteral), (word) => judgePath(word, use, scene)) ??
    findFirst(metadata.filter(isLiteral), (word) => judgePath(word, "name", scene)) ??
    findFirst(perhapsFiles.filter(isLiteral), (word) => judgePath(word, use, scene));
  const broad = describeBroadSearch(
    name === "git" && words[1]?.value === "grep" ? "git grep" : name,
    reading,
    scene,
  );
  const dynamic = [...words, ...content, ...metadata, ...perhapsFiles].find(
    (word) => !isLiteral(word),
  )?.problem;
  const opened = new Set([...reading.content, ...reading.metadata]);
  const listed = words
    .slice(1)
    .filter((word) => isLiteral(word) && isExpandedHere(word) && !opened.has(word));
  const listing = findFirst(listed, (word) => judgePath(word, "list", scene));
  const flags = reading.mayBeFlag ? findFlagNames(scene) : undefined;
  const wide = describeWideOutput(name, words, reading);
  const known =
    reading.problem ??
    wide ??
    flags ??
    found?.reason ??
    broad ??
    listing?.reason ??
    describeArchives(name, reading, scene);
  const reason = dynamic ?? known;
  // A tool of this list with an option that is not is no longer known to read.
  const readOnly = reading.problem === undefined;
  const sandbox = known === undefined ? effectOnWords(words, "read", scene) : undefined;
  if (reason !== undefined) return { verdict: "ask", reason, words, readOnly, covered: false, sandbox };
  return reads(`${name} only reads here.`, words);
}

/** How the tools at hand may read words: on macOS its own tools, or GNU's that a person installed. */
function mannersOf({ context }: Scene): readonly Tools[] {
  return context.tools === "gnu" ? ["gnu"] : ["gnu", "bsd"];
}

/**
 * The nature of a reading tool in the manner that says worst of its words. Undefined when it is no reading tool in one of
 * them.
 */
export function judgeManners(
  read: (tools: Tools) => ProfileReading | undefined,
  words: ShellWord[],
  name: string,
  scene: Scene,
): Nature | undefined {
  let worst: Nature | undefined;
  for (const tools of mannersOf(scene)) {
    const reading = read(tools);
    if (reading === undefined) return undefined;
    const nature = judgeReading(reading, words, name, scene);
    if (worst === undefined || isStricter(nature.verdict, worst.verdict)) worst = nature;
  }
  return worst;
}
