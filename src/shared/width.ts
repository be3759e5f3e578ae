/**
 * How far a command may reach, as one canonical text, so that equal reaches are equal texts in rows, digests and records:
 * what it writes of its workspace, one grant of what a sandbox keeps back, and the folders a person named.
 */

type WideFiles = "workspace" | "workspace and git";

/** `outside` of the sandbox a command runs as the person. `sockets` are those of this machine's programs. */
export type Width = "read-only" | WideFiles | `${WideFiles}; ${string}` | "outside";
export type ConfinedWidth = Exclude<Width, "outside">;

/** What a person may give a confined command besides. */
export type Grant = "network" | "sockets";

export type Reach = {
  /** `none`: nothing but its own `/tmp`. */
  readonly files: "none" | WideFiles;
  /** Never two: with the network, what listens without a file could be reached by its sockets too. */
  readonly grant?: Grant | undefined;
  /** Real paths, in which it writes as in the workspace. */
  readonly folders: readonly string[];
};

/** As many as a person may name. */
export const mostNamedFolders = 8;
const longestWidth = 40_000;
const form = /^(workspace|workspace and git)(?:; (network|sockets))?(?:; folders (\[.*\]))?$/s;

/** @returns the canonical text; what writes nothing has neither grants nor folders. */
export function writeWidth({ files, grant, folders }: Reach): ConfinedWidth {
  if (files === "none") return "read-only";
  const named = [...new Set(folders)].toSorted();
  const more = [
    ...(grant === undefined ? [] : [grant]),
    ...(named.length > 0 ? [`folders ${JSON.stringify(named)}`] : []),
  ];
  return more.length === 0 ? files : `${files}; ${more.join("; ")}`;
}

/** What it says. */
export function readWidth(width: ConfinedWidth): Reach {
  const reach = width === "read-only" ? ({ files: "none", folders: [] } as const) : parse(width);
  if (reach === undefined) throw new Error("This is no width.");
  return reach;
}

function parse(text: string): Reach | undefined {
  const [, files, grant, named] = form.exec(text) ?? [];
  if (files === undefined) return undefined;
  const folders = named === undefined ? [] : readFolders(named);
  return folders && { files: files as WideFiles, grant: grant as Grant | undefined, folders };
}

function readFolders(text: string): string[] | undefined {
  try {
    const folders: unknown = JSON.parse(text);
    const isList = Array.isArray(folders) && folders.length > 0 && folders.length <= mostNamedFolders;
    return isList && folders.every((each) => typeof each === "string" && each.startsWith("/"))
      ? folders
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is a width, in its canonical form. */
export function isWidth(text: unknown): text is Width {
  if (text === "outside" || text === "read-only") return true;
  if (typeof text !== "string" || text.length > longestWidth) return false;
  const reach = parse(text);
  return reach !== undefined && writeWidth(reach) === text;
}

/** Whether it reaches what a sandbox keeps from every command: all that is outside, or what is granted. */
export function reachesBeyond(width: Width): boolean {
  return width === "outside" || readWidth(width).grant !== undefined;
}
