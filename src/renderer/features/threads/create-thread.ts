/** Makes a thread and opens it; asks for a folder only where none was given. */
import { create } from "zustand";
import { client } from "../../base/client.ts";
import { knownHost } from "../../base/stores/host-store.ts";
import { attempt } from "../../ui/attempt.ts";
import { startAgent } from "../agents/list-parts.tsx";

/** `onChosen`: what is done with the folder instead of a thread begun in it. */
type FolderQuestion = { open: boolean; onChosen?: (path: string) => void };

/** Whether the folder chooser is open; it exists where the host has no dialog of the system. */
export const useFolderChooser = create<FolderQuestion>(() => ({ open: false }));

export async function createThread(): Promise<void> {
  const host = await knownHost();
  if (host.workspace) return startAgent({ workspace: host.workspace });
  return createThreadInChosen();
}

/** Asks for a folder, also where one was given at the start. */
export async function createThreadInChosen(): Promise<void> {
  const host = await knownHost();
  if (!host.hasFolderDialog) {
    useFolderChooser.setState({ open: true });
    return;
  }
  await attempt(async () => {
    const { path } = await client().call("workspaces.pick", {});
    if (path) await startAgent({ workspace: path });
  });
}
