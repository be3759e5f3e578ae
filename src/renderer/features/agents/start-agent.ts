/** Makes a thread with a chosen agent, folder or first words, and opens it. */

import type { AgentId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { setDraft } from "../../base/stores/drafts-store.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { attempt } from "../../ui/attempt.ts";
import { showProblem } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

type Start = {
  agentId?: AgentId;
  /** Absolute path; without it the folder of this start, else the one used last. */
  workspace?: string;
  /** Put into the composer, not sent. */
  draft?: string;
};

/** A failure is shown, not thrown. */
export async function startAgent({ agentId, workspace, draft }: Start): Promise<void> {
  await attempt(async () => {
    const folder = workspace ?? (await lastFolder());
    if (!folder) return showProblem(strings.noFolder);
    const thread = await client().call("threads.create", {
      commandId: newCommandId(),
      workspace: folder,
      ...(agentId && { agentId }),
    });
    if (draft) setDraft(thread.id, draft);
    useThreads.getState().change([thread], []);
    go({ view: "thread", id: thread.id });
  });
}

async function lastFolder(): Promise<string | undefined> {
  const given = useHost.getState().host?.workspace;
  return given ?? (await client().call("workspaces.list", {})).workspaces[0]?.path;
}
