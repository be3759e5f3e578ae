/** The lists of commands that stand beside the traces, each judged alone. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeCodingCorpus } from "./coding-corpus.ts";
import { type Corpus, commandListSchema, corpusSchema } from "./trace.ts";

const corpora = join(import.meta.dirname, "corpora");
const policy = join(import.meta.dirname, "..", "..", "src", "main", "policy");
const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), "utf8"));

export type CommandList = { name: string; commands: string[] };

/** The coding traces of this project. */
export function readCodingCorpus(): Corpus {
  return makeCodingCorpus(readJson(corpora, "coding.json"));
}

/** What agents run on an ordinary day, to read, to build and to change. */
export function readEverydayCommands(): CommandList {
  const { commands } = commandListSchema.parse(readJson(corpora, "everyday.json"));
  return { name: "everyday", commands };
}

/** What only reads and is typed all day: an ask for one of these trains people to click. */
export function readReadingCommands(): CommandList {
  const commands = z.array(z.string()).parse(readJson(policy, "everyday-commands.json"));
  return { name: "only reading", commands };
}

const casesSchema = z.object({
  cases: z.array(z.object({ command: z.string(), verdict: z.string() })),
});

/** What nobody's rule should let run: the cases of the policy's own table that always ask or never run. */
export function readHardCommands(): CommandList {
  const { cases } = casesSchema.parse(readJson(policy, "shell-cases.json"));
  const hard = cases.filter(({ verdict }) => verdict === "ask" || verdict === "deny");
  return { name: "never unasked", commands: hard.map(({ command }) => command) };
}

/**
 * Corpora of others: those beside this one, and of the folder each file in the form of `corpusSchema`. None of the folder
 * where there is no such.
 */
export function readOtherCorpora(folder: string): Corpus[] {
  const own = join(corpora, "others");
  return [own, folder].flatMap((each) => {
    const files = existsSync(each) ? readdirSync(each).filter((name) => name.endsWith(".json")) : [];
    return files.sort().map((name) => corpusSchema.parse(readJson(each, name)));
  });
}
