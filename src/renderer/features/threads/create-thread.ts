/** Makes a thread and opens it; asks for a folder only where none was given. */

import { create } from "zustand";
import { client, newCommandId } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { knownHost } from "../../base/stores/host-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { describeError } from "../../base/words.ts";
import { showProblem } from "../../ui/toast.tsx";

/** Whether the folder chooser is open; it exists where the host has no dialog of the system. */
export const useFolderChooser = create<{ open: boolean }>(() => ({ open: false }));

export async function createThread(): Promise<void> {
  const host = await knownHost();
  if (host.workspace) return createThreadIn(host.workspace);
  return createThreadInChosen();
}

/** Asks for a folder, also where one was given at the start. */
export async function createThreadInChosen(): Promise<void> {
  const host = await knownHost();
  if (!host.hasFolderDialog) {
    useFolderChooser.setState({ open: true });
    return;
  }
  try {
    const { path } = await client().call("workspaces.pick", {});
    if (path) await createThreadIn(path);
  } catch (error) {
    showProblem(common.failed, describeError(error));
  }
}

/** @param workspace absolute path of the folder the agent works in. */
export async function createThreadIn(workspace: string): Promise<void> {
  try {
    const thread = await client().call("threads.create", { commandId: newCommandId(), workspace });
    useThreads.getState().change([thread], []);
    go({ view: "thread", id: thread.id });
  } catch (error) {
    showProblem(common.failed, describeError(error));
  }
}
