/** A plain turn of a scripted task on a served host: a file read, one written and a command, each asked for and approved. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import type { Client } from "../src/shared/wire/client.ts";
import { type ServedHost, serveHost } from "./served-host.ts";

/** What a step is about: 2 KB of it are read or printed, 0.7 KB of it written, from another place each time. */
export const plainText = "abcdefghi\n".repeat(1_000);

/** A host with one thread in a trusted workspace whose `notes.txt` holds the text's first 2,000 characters. */
export async function servePlainThread(
  folder: string,
  text: string,
  isPlain = false,
): Promise<{ host: ServedHost; thread(): Promise<ThreadId> }> {
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "notes.txt"), text.slice(0, 2_000));
  const host = await serveHost(join(folder, "data"), workspace, isPlain);
  const { digest } = await host.client.call("workspaces.review", { path: workspace });
  await host.client.call("workspaces.setTrust", { path: workspace, trusted: true, digest });
  const thread = async () =>
    (await host.client.call("threads.create", { commandId: newCommandId(), workspace })).id;
  return { host, thread };
}

/** The message of a turn of so many steps, for the demo model. */
export function textOf(from: number, count: number, text = plainText): string {
  const written = (number: number) => {
    const at = (number * 700) % (text.length - 700);
    return text.slice(at, at + 700).replaceAll("\n", " ");
  };
  const step = (number: number) =>
    [
      "read notes.txt",
      `write out-${number}.txt ${written(number)}`,
      `run echo began ${number} | tee -a run.log; head -c 2000 notes.txt`,
    ][number % 3]!;
  return Array.from({ length: count }, (_, at) => step(from + at)).join("\n\n");
}
/** Sends the text and approves whatever waits until its turn is over. */
export async function runTurn({ client }: ServedHost, threadId: ThreadId, text: string): Promise<void> {
  const { turnId } = await client.call("threads.send", { commandId: newCommandId(), threadId, text });
  const left = new AbortController();
  const approving = approveAll(client, left.signal);
  for await (const item of client.watch("threads.watch", { threadId, since: 0 }))
    for (const { data } of item.kind === "events" ? item.events : [])
      if (data.type === "turn.finished" && data.turnId === turnId) {
        left.abort();
        await approving;
        return;
      }
}

async function approveAll(client: Client, signal: AbortSignal): Promise<void> {
  const asked = new Set<string>();
  try {
    for await (const item of client.watch("console.watch", {}, { signal })) {
      const seen = item.kind === "approvals" || item.kind === "changes" ? item.approvals : [];
      const items = seen.filter((one) => one.status === "pending" && !asked.has(one.id));
      if (items.length === 0) continue;
      for (const { id } of items) asked.add(id);
      await client.call("approvals.decide", {
        commandId: newCommandId(),
        items: items.map(({ id, digest }) => ({ id, digest })),
        decision: { type: "approve" },
      });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
