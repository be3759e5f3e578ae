/** One JSON file of a person's own entries under one key, by name: what is wrong with one of them leaves the others usable. */
import { z } from "zod";
import type { FileProblem } from "../../shared/contract/field-problem.ts";
import { AgentFileError, describeFileProblem, toFileProblems } from "./file-problem.ts";
import { createJsonReader, writeJson } from "./json-file.ts";

export type EntryFile<Entry> = {
  /** Every usable one; what is wrong with the others stands in the problems. Read anew whenever the file changed. */
  list(): { entries: Entry[]; problems: FileProblem[] };
  /** Entries that are wrong stay as they are, for the person to mend. @throws AgentFileError when the file cannot be read */
  save(name: string, entry: object): void;
  /** @throws as `save` */
  remove(name: string): void;
};

/**
 * @param raw what an entry must be for the file to be read at all
 * @param parse of one entry; it says what is wrong with it
 */
export function createEntryFile<Raw, Entry>(
  file: string,
  key: string,
  raw: z.ZodType<Raw>,
  parse: (name: string, entry: Raw) => z.ZodSafeParseResult<Entry>,
): EntryFile<Entry> {
  const readFile = createJsonReader();
  const entriesSchema = z.record(z.string(), raw);
  const fileSchema = z.strictObject({ [key]: entriesSchema });

  function read(): { entries: Record<string, Raw>; text: string; problems: FileProblem[] } {
    const found = readFile(file);
    if (found.kind === "absent") return { entries: {}, text: "", problems: [] };
    if (found.kind === "bad") {
      const problem = { file, line: found.line, field: "", message: found.message };
      return { entries: {}, text: "", problems: [problem] };
    }
    const { text } = found;
    const parsed = fileSchema.safeParse(found.value);
    return parsed.success
      ? { entries: parsed.data[key]!, text, problems: [] }
      : { entries: {}, text, problems: toFileProblems({ file, text }, parsed.error) };
  }

  function change(edit: (entries: Record<string, Raw | object>) => Record<string, Raw | object>): void {
    const { entries, problems } = read();
    const [first] = problems;
    if (first) throw new AgentFileError("", `${describeFileProblem(first)} Mend or remove the file first.`);
    writeJson(file, { [key]: edit(entries) }, 0o600);
  }

  return {
    list() {
      const { entries, text, problems } = read();
      const usable: Entry[] = [];
      for (const [name, entry] of Object.entries(entries)) {
        const parsed = parse(name, entry);
        if (parsed.success) usable.push(parsed.data);
        else problems.push(...toFileProblems({ file, text }, parsed.error, [key, name]));
      }
      return { entries: usable, problems };
    },
    save: (name, entry) => change((entries) => ({ ...entries, [name]: entry })),
    remove: (name) =>
      change((entries) => Object.fromEntries(Object.entries(entries).filter(([one]) => one !== name))),
  };
}

/** Entries that know their id: in the file it is their name. */
export type IdFile<Entry> = {
  /** Every usable one by its name; what is wrong with the others stands in the problems. */
  list(): { entries: Entry[]; problems: FileProblem[] };
  get(id: string): Entry | undefined;
  /** @returns the entry as stored. @throws AgentFileError; a file that cannot be read is never replaced. */
  save(entry: Entry): Entry;
  /** @throws as `save` */
  remove(id: string): void;
};

/** @param key the one member of the file, which holds the entries without their ids. */
export function createIdFile<Entry extends { id: string; name: string }>(
  path: string,
  key: string,
  schema: z.ZodType<Entry>,
): IdFile<Entry> {
  const parse = (id: string, entry: unknown) => schema.safeParse({ ...(entry as object), id });
  const file = createEntryFile(path, key, z.unknown(), parse);

  function list() {
    const { entries, problems } = file.list();
    return { entries: entries.sort((a, b) => a.name.localeCompare(b.name)), problems };
  }

  return {
    list,
    get: (id) => list().entries.find((entry) => entry.id === id),
    save(entry) {
      const checked = schema.parse(entry);
      const { id, ...rest } = checked;
      file.save(id, rest);
      return checked;
    },
    remove: (id) => file.remove(id),
  };
}
