/** A server that repeats its key wherever it can: in no form of it, and in no long piece, does it come to a client or to the disk. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { holdsText } from "../../storage/testing/holds-text.ts";
import { batchOf, type Route } from "./testing/scripted-server.ts";
import { createServerScene, key } from "./testing/server-scene.ts";

const scene = createServerScene();

/** As it stands in an address, in a log, in the first half of a line, and behind a name and a colon. */
const forms = [
  key,
  key.slice(0, 12),
  key.slice(-12),
  Buffer.from(key).toString("base64").replace(/=+$/, ""),
  Buffer.from(key).toString("base64").slice(4, 16),
];
const shout = forms.join(" ");

it("keeps every form of a key that is shouted at it from the page and from the disk", async () => {
  const { host, server } = scene;
  const sent: string[] = [];
  host.changes.listen((change) => void sent.push(JSON.stringify(change)));
  const value = batchOf(shout) as { actionRequests: object[] };
  Object.assign(value.actionRequests[0]!, { description: shout, name: `tool ${shout}` });
  const asking = server.ask("a", value);
  Object.assign(asking, {
    messages: [{ type: "human", content: `title ${shout}` }],
    assistant: "assistant-1",
  });
  asking.interrupts[`task ${shout}`] = [
    { id: `int ${shout}`, value: { question: shout }, response_schema: { title: shout } },
  ];
  server.ask("failed", batchOf("x"));
  await scene.enter();
  server.move("failed", { status: "error", interrupts: {}, error: `no such key: ${shout}` });
  await scene.look();
  for (const row of scene.pending())
    if (row.allowed.includes("reject")) await scene.decide(row, { type: "reject" });
  await scene.untilReceipt();
  server.instead.set("assistants", (response) =>
    response.end(JSON.stringify([{ assistant_id: "x", graph_id: shout, name: shout }])),
  );
  server.instead.set("words", (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = (id: number, content: string) =>
      `event: messages\ndata: ${JSON.stringify([{ id: "run-1", type: "ai", content }, {}])}\nid: ${id}\n\n`;
    response.end([...shout].map((letter, at) => chunk(at, letter)).join(""));
  });
  const named = await host.serverDesk.assistants("one");
  const id = host.serverDesk.createThread("one", "assistant-1", "build");
  host.send(id, "build");
  await host.until(() => sent.some((one) => one.includes('"delta"')));
  const begun = [...server.threads.keys()].at(-1)!;
  const call = { id: "c1", name: `call ${shout}`, args: { [shout]: shout } };
  const said = [
    { id: "run-1", type: "ai", content: shout, tool_calls: [call] },
    { id: "r1", type: "tool", tool_call_id: "c1", name: shout, content: shout, status: "error" },
  ];
  server.finish(begun, { messages: [...server.threads.get(begun)!.messages!, ...said] });
  await host.untilStatus(id, "done");
  for (const route of ["list", "assistants"] satisfies Route[])
    server.instead.set(route, (response) => response.writeHead(418, shout.replaceAll(" ", "-")).end(shout));
  const { state } = await scene.look();
  const refused = await host.serverDesk.assistants("one").catch((error: Error) => error.message);
  const threads = host.stores.threads.list();
  const told = JSON.stringify([
    sent,
    named,
    state,
    refused,
    threads,
    threads.map((thread) => host.stores.log.page(thread.id, 100)),
    scene.pending(),
    [...host.stores.ledger.all()],
  ]);
  expect(told).toContain("<its key>");
  expect(forms.filter((form) => told.includes(form))).toEqual([]);
  await host.kill();
  const files = readdirSync(host.root, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const holding = files.filter(
    ({ parentPath, name }) =>
      name !== "keys.json" && forms.some((form) => holdsText(join(parentPath, name), form)),
  );
  expect(holding.map(({ name }) => name)).toEqual([]);
});
