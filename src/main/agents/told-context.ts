/** What agents are told besides their prompt: instructions, skills and commands of a trusted folder, and the person's own. */
import { homedir } from "node:os";
import type { Output } from "../../shared/contract/contract.ts";
import { ownPlace } from "../../shared/contract/workspaces.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type HeardText, isCommand, readCommands } from "../agent-files/command-files.ts";
import { isInstructions } from "../agent-files/steering-texts.ts";
import { findWorkspaceContext, listContextPaths, sizesOf } from "../agent-files/workspace-context.ts";
import { realOf } from "../paths/real-of.ts";
import type { FolderTrust } from "../rules/folder-trust.ts";
import type { WorkspaceStore } from "../settings/workspace-store.ts";
import type { ThreadRow } from "../threads/thread-store.ts";

export type ToldContextStores = { workspaces: WorkspaceStore; folderTrust: FolderTrust };

/** What an agent is told besides its prompt. */
export type AgentContext = {
  /** Instructions of the folder, as they were looked at; the later ones add to the earlier. */
  folder: HeardText[];
  /** Relative to the workspace. */
  skills: string[];
  /** From the person's home, as they looked at it. */
  own: HeardText[];
};

/** What a thread is told of instructions that its agent is not told, once under its id. */
type HeldBack = { itemId: string; text: string };

export type ToldContext = {
  /** What an agent is told by a workspace, or would be if that were trusted. */
  context(workspace: string): Promise<Output<"agents.context">>;
  /** What a message to an agent there can begin with. */
  commands(workspace: string): Promise<Output<"agents.commands">>;
  contextOf(workspace: string): Promise<AgentContext>;
  /** Whether a text says what a person looked at in a folder that is trusted. */
  isLookedAt(workspace: string, file: string, text: string): boolean;
  /** Instructions that changed since they were trusted. */
  heldBack(thread: Pick<ThreadRow, "id" | "workspace">): Promise<HeldBack[]>;
};

/** Reads folders and home again at each call. */
export function createToldContext({ workspaces, folderTrust }: ToldContextStores): ToldContext {
  return {
    async context(workspace) {
      const trusted = workspaces.isTrusted(workspace);
      const { files: changed } = await folderTrust.lookForChanges(workspace);
      const found = await listContextPaths(workspace);
      return {
        workspace,
        trusted,
        ...(changed.length > 0 && { changed }),
        ...found,
        sizes: sizesOf(workspace, found.files),
        ...(await ownContext(folderTrust)),
      };
    },
    async commands(workspace) {
      const commands = readCommands({
        own: await folderTrust.heard(ownPlace),
        folder: await folderTrust.heard(workspace),
      });
      const files = [...(await folderTrust.files(workspace)), ...(await folderTrust.files(ownPlace))];
      const there = files.filter(isCommand);
      return { commands, notOffered: Math.max(0, there.length - commands.length) };
    },
    isLookedAt: (workspace, file, text) =>
      workspaces.isTrusted(workspace) && folderTrust.isAsTrusted(workspace, file, text),
    async contextOf(workspace) {
      const { files: changed } = await folderTrust.lookForChanges(workspace);
      const { files, skills } = findWorkspaceContext(workspace, workspaces.isTrusted(workspace), changed);
      const texts = await folderTrust.heard(workspace);
      const folder = files.flatMap((path) => texts.find(({ file }) => file === path) ?? []);
      // Who works in their home has some of these there already.
      const isThere = (file: string) => workspace === realOf(homedir()) && files.includes(file);
      const heard = await folderTrust.heard(ownPlace);
      const own = heard.filter(({ file }) => isInstructions(file) && !isThere(file));
      return { folder, skills, own };
    },
    async heldBack({ id, workspace }) {
      const places = [workspace, ownPlace];
      const held = await Promise.all(places.map((place) => heldBackFrom(folderTrust, id, place)));
      return held.filter((each) => each !== undefined);
    },
  };
}

/** What says something else than what was trusted is heard again once a person looked. */
async function heldBackFrom(
  folderTrust: FolderTrust,
  threadId: ThreadId,
  place: string,
): Promise<HeldBack | undefined> {
  const { files: changed, digest } = await folderTrust.lookForChanges(place);
  if (changed.length === 0) return undefined;
  const isOwn = place === ownPlace;
  const itemId = `held-back${isOwn ? "-own" : ""}:${threadId}:${digest.slice(0, 16)}`;
  const files = changed.map((file) => (isOwn ? `~/${file}` : file)).join(", ");
  const text = isOwn
    ? `${files} changed since you trusted your own instructions. Until you look at the change in the settings, under folders, agents are told nothing of it.`
    : `${files} changed since you trusted this folder. Until you look at the change in the settings, under folders, no instructions are read from there and the folder's rules only tighten.`;
  return { itemId, text };
}

/** The person's own instructions for all folders, whether they are told to agents, and what of them changed. */
async function ownContext(folderTrust: FolderTrust): Promise<Pick<Output<"agents.context">, "own">> {
  const files = (await folderTrust.files(ownPlace)).filter(isInstructions);
  if (files.length === 0) return {};
  const { trusted = false, changed = [] } = (await folderTrust.own()) ?? {};
  return {
    own: { files, sizes: sizesOf(homedir(), files), trusted, changed: changed.filter(isInstructions) },
  };
}
