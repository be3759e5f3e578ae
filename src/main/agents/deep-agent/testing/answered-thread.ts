/** A thread whose model is a server of ours that answers what no model should, and what became of the calls in it. */
import { onTestFinished } from "vitest";
import {
  type AnsweringServer,
  type Protocol,
  startAnsweringServer,
  type WiredAnswer,
  type WiredCall,
} from "../../../models/testing/answering-server.ts";
import { GateThread } from "./gate-thread.ts";

/** A thread whose commands and writes run unasked, and the server of its model, until the test is over. */
export async function open(protocol: Protocol) {
  const server = await startAnsweringServer(protocol);
  onTestFinished(() => server.close());
  const thread = new GateThread({
    model: server.model,
    judge: (call) => (call.tool === "execute" || call.tool === "write_file" ? "run" : undefined),
  });
  return { server, thread };
}

export const command = (text: string, id?: string): WiredCall => ({
  id,
  name: "execute",
  args: JSON.stringify({ command: text }),
});
/** An answer that makes calls. */
export const calling = (server: AnsweringServer, ...calls: WiredCall[]): WiredAnswer => ({
  calls,
  finish: server.words.calls,
});

/** The calls the transcript shows, each with how it ended; `undefined` for one that never did. */
export function callsOf({
  journal,
}: GateThread): { tool: string; outcome: string | undefined; result: string }[] {
  const { events } = journal;
  return events.flatMap((event) => {
    if (event.type !== "toolCall.requested") return [];
    const end = events.find((one) => one.type === "toolCall.finished" && one.itemId === event.itemId);
    const finished = end?.type === "toolCall.finished" ? end : undefined;
    return [{ tool: event.tool, outcome: finished?.outcome, result: finished?.result ?? "" }];
  });
}

/** What the app itself said in the thread. */
export const noticesOf = ({ journal }: GateThread) =>
  journal.events.flatMap((event) => (event.type === "notice.added" ? [event.text] : []));

/** What the model was last sent. */
export const lastAsked = (server: AnsweringServer) => JSON.stringify(server.asked.at(-1));
