/** Reads the options of a command line, and says in plain words what is wrong with them. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { defaultDataDir } from "./data-dir.ts";

/** What `parseArgs` reads. @throws Error for an option that is not there, without its value, or with one it does not take */
export function readOptions<const Config extends ParseArgsConfig & { args: string[] }>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const { tokens } = parseArgs({ ...config, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens ?? []) {
    if (token.kind === "positional" && !config.allowPositionals)
      throw new Error(`“${token.value}” is no option of this command.`);
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const known = Object.hasOwn(config.options ?? {}, name) ? config.options?.[name] : undefined;
    if (known === undefined) throw new Error(`${rawName} is no option of this command.`);
    if (known.type === "boolean" && value !== undefined) throw new Error(`${rawName} takes no value.`);
    // One that begins with a dash is the next option, where the value was forgotten.
    if (known.type === "string" && (value === undefined || (!inlineValue && value.startsWith("-"))))
      throw new Error(`${rawName} needs a value. One that begins with a dash is written ${rawName}=VALUE.`);
  }
  return parseArgs(config);
}

/**
 * @returns the absolute path, or `undefined` when the option was not given
 * @throws Error for an empty text, as an unset variable leaves it: it would mean the folder one happens to stand in
 */
export function folderOf(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.trim() === "") throw new Error(`${option} is empty. Give the path of a folder, or leave it out.`);
  return resolve(value);
}

/** Where the data is by `--data-dir`, or by this system where it was not given. @throws Error as `folderOf` and `defaultDataDir` */
export function dataDirOf(value?: string): string {
  // Asked also where another is named: without a home nothing of the person's own is known.
  const usual = defaultDataDir(process.platform, process.env, homedir());
  return folderOf("--data-dir", value) ?? usual;
}
