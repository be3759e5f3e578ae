/** What the bench of held turns does in a host: threads that ask for something, and a person who says yes to all of it. */
import type { Answer, openAnsweringServer } from "../attack/answering-server.ts";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { ApprovalId, ThreadId } from "../src/shared/ids.ts";
import type { Client } from "../src/shared/wire/client.ts";

/** A real host with years of history, its client and a model that says what it is told to. */
export type Scene = { client: Client; ask(answer: Answer): Promise<ThreadId>; workspace: string };

export function createScene(
  client: Client,
  workspace: string,
  server: Awaited<ReturnType<typeof openAnsweringServer>>,
): Scene {
  let asked = 0;
  return {
    client,
    workspace,
    /** A new thread in which the model says this; what it asks is approved, and it ends. */
    async ask(answer) {
      asked += 1;
      const model = `m-${asked}`;
      server.script(model, [answer]);
      const { id } = await client.call("threads.create", {
        commandId: newCommandId(),
        workspace,
        model: { provider: "openai-compatible", model, baseUrl: server.baseUrl },
      });
      await sendAndWait(client, id, "go");
      return id;
    },
  };
}

/** Says yes to what the turn asks, until it is done. @throws Error when it ends in another way. */
export async function sendAndWait(client: Client, threadId: ThreadId, text: string): Promise<void> {
  const { turnId } = await client.call("threads.send", { commandId: newCommandId(), threadId, text });
  for await (const item of client.watch("threads.watch", { threadId, since: 0 })) {
    const events = item.kind === "events" ? item.events.map(({ data }) => data) : [];
    for (const data of events) if (data.type === "approval.requested") await sayYes(client, data.approvalId);
    const ends = [
      ...events.filter((data) => data.type === "turn.finished"),
      ...(item.kind === "page" ? item.items.filter((one) => one.kind === "turnEnd") : []),
    ];
    const end = ends.find((one) => one.turnId === turnId);
    if (end?.outcome === "done") return;
    if (end) throw new Error(`A turn of the measure ended as ${end.outcome}: ${end.problem}`);
  }
}

async function sayYes(client: Client, id: ApprovalId): Promise<void> {
  const { approval } = await client.call("approvals.get", { id });
  if (approval.status !== "pending") return;
  await client.call("approvals.decide", {
    commandId: newCommandId(),
    items: [{ id, digest: approval.digest }],
    decision: approval.subject.kind === "question" ? { type: "respond", answer: "yes" } : { type: "approve" },
  });
}
