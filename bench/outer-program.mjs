/** An outer agent that does nothing but ask: as often as its message says, and tells over a file when it asked and when it was answered. */
import { appendFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

const [, , times] = process.argv;
const sessionId = "bench";
const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const note = (what, id) =>
  appendFileSync(times, `${what} ${id} ${performance.timeOrigin + performance.now()}\n`);

async function ask(id) {
  const call = {
    sessionId,
    toolCall: { toolCallId: id, kind: "execute", title: id, rawInput: { command: `true ${id}` } },
  };
  note("asked", id);
  await connection.client.request(methods.client.session.requestPermission, { ...call, options });
  note("answered", id);
  const update = { sessionUpdate: "tool_call_update", toolCallId: id, status: "completed", rawOutput: "" };
  await connection.client.notify(methods.client.session.update, { sessionId, update });
}

const connection = agent({ name: "bench" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { loadSession: true },
    agentInfo: { name: "bench", version: "1" },
  }))
  .onRequest(methods.agent.session.new, () => ({ sessionId }))
  .onRequest(methods.agent.session.prompt, async ({ params }) => {
    const count = Number(params.prompt[0].text);
    for (let asked = 0; asked < count; asked += 1) await ask(`call-${asked}`);
    note("rests", count);
    return { stopReason: "end_turn" };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
void connection.closed.then(() => process.exit(0));
