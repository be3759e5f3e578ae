/** The commands that a folder or a home brings for the message field: Markdown files in a folder of their own, and each skill. */
import { join } from "node:path";
import type { MessageCommand } from "../../shared/contract/agents.ts";
import { jsonBytes } from "../../shared/wire/json-bytes.ts";
import { commandFolder } from "../policy/steering-files.ts";
import { isFileInside, namesIn } from "./inside-folder.ts";

const suffix = ".md";

/** More files than this are not looked at. */
const mostFiles = 200;
/** What one of them may say, and all of them together, in bytes on the wire. */
const largestBytes = 32 * 1024;
const mostBytes = 1024 * 1024;

/** Relative to the folder, in the order of their names. @param root its real path. */
export function listCommandFiles(root: string): string[] {
  return namesIn(join(root, commandFolder))
    .filter((name) => name.endsWith(suffix) && name.length > suffix.length)
    .sort()
    .slice(0, mostFiles)
    .map((name) => `${commandFolder}/${name}`)
    .filter((file) => isFileInside(root, join(root, file)));
}

/** A text that the person trusts, as it is now. */
export type HeardText = { file: string; text: string };
type Heard = { own: readonly HeardText[]; folder: readonly HeardText[] };

/**
 * What a message can begin with. Of several with one name the person's own is offered, then the folder's, and of each a
 * command before a skill.
 */
export function readCommands({ own, folder }: Heard): MessageCommand[] {
  const found = [
    ...own.flatMap((text) => fromFile(text, "own")),
    ...own.flatMap(fromOwnSkill),
    ...folder.flatMap((text) => fromFile(text, "folder")),
    ...folder.flatMap(fromSkill),
  ];
  const names = new Set<string>();
  let left = mostBytes;
  return found.filter((command) => {
    const bytes = jsonBytes(command);
    if (names.has(command.name) || bytes > largestBytes || bytes > left) return false;
    names.add(command.name);
    left -= bytes;
    return true;
  });
}

/** Whether this is a file of a command or a skill. */
export function isCommand(file: string): boolean {
  return commandName(file) !== undefined || skillName(file) !== undefined;
}

function fromFile({ file, text }: HeardText, from: "own" | "folder"): MessageCommand[] {
  const name = commandName(file);
  if (name === undefined) return [];
  const { about, body } = splitHead(text);
  return body === "" ? [] : [{ name, from, file, about, text: body }];
}

function fromSkill({ file, text }: HeardText): MessageCommand[] {
  const name = skillName(file);
  if (name === undefined) return [];
  const says = `Use the skill ${name}: read ${file} and follow it.`;
  return [{ name, from: "skill", file, about: splitHead(text).about, text: says }];
}

/** Its words are sent with the message: agents would have to ask for a file outside of their folder. */
function fromOwnSkill({ file, text }: HeardText): MessageCommand[] {
  const name = skillName(file);
  const { about, body } = splitHead(text);
  if (name === undefined || body === "") return [];
  return [{ name, from: "own", file, about, text: `Follow the skill ${name} (~/${file}):\n\n${body}` }];
}

function commandName(file: string): string | undefined {
  return file.startsWith(`${commandFolder}/`)
    ? file.slice(commandFolder.length + 1, -suffix.length)
    : undefined;
}

function skillName(file: string): string | undefined {
  return /^\.\w+\/skills\/(.+)\/SKILL\.md$/s.exec(file)?.[1];
}

/** The lines between two lines of dashes at the beginning say what it is about; they are for people, not for the agent. */
function splitHead(text: string): { about: string; body: string } {
  const [whole = "", head = ""] = /^---\r?\n([\s\S]*?\r?\n)?---(?:\r?\n|$)/.exec(text) ?? [];
  const body = text.slice(whole.length).trim();
  const described = /^description:[ \t]*(["']?)(.*)\1[ \t]*\r?$/m.exec(head)?.[2];
  const about = (described ?? body.split(/\r?\n/, 1)[0] ?? "").replace(/^#+ /, "");
  return { about: about.slice(0, 200).toWellFormed(), body };
}
