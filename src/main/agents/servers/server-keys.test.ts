/** Keys and addresses of servers, and what becomes of all that is theirs when they are changed or removed. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { remoteServerSchema } from "../../../shared/contract/remote-servers.ts";
import { holdsText } from "../../storage/testing/holds-text.ts";
import { batchOf, ScriptedServer } from "./testing/scripted-server.ts";
import { createServerScene, key } from "./testing/server-scene.ts";

const scene = createServerScene();
const { enter, pending, receipts, look, decide, answers, untilReceipt, isWaiting, oneCard } = scene;

it("keeps the key out of everything but the file of keys, and sends it to its server alone", async () => {
  const row = await oneCard();
  await decide(row);
  await untilReceipt();
  expect(new Set(scene.server.heard.map(({ headers }) => headers["x-api-key"]))).toEqual(new Set([key]));
  expect(JSON.stringify(scene.host.serverDesk.list())).not.toContain(key);
  await scene.host.kill();
  const files = readdirSync(scene.host.root, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const holding = files.filter((one) => holdsText(join(one.parentPath, one.name), key));
  expect(new Set(holding.map(({ name }) => name))).toEqual(new Set(["keys.json"]));
});

afterEach(() => vi.unstubAllEnvs());

it("sends no key of the environment to a server that has none", async () => {
  const names = ["LANGGRAPH", "LANGSMITH", "LANGCHAIN"].map((name) => `${name}_API_KEY`);
  for (const name of names) vi.stubEnv(name, "of another program");
  await enter({ auth: "none" }, null);
  await look();
  expect(scene.server.heard.length).toBeGreaterThan(0);
  expect(JSON.stringify(scene.server.heard)).not.toContain("of another program");
});

it("sends nothing that was decided about a server before it was removed, also when it is entered again", async () => {
  await oneCard(batchOf("one", "two"));
  const [first] = pending();
  await decide(first!);
  await scene.host.serverDesk.remove("one");
  expect(scene.host.stores.approvals.threadsWithUnconsumed()).toEqual([]);
  await enter();
  expect([answers(), pending().map(({ actionIndex }) => actionIndex)]).toEqual([[], [0, 1]]);
});

it("is asked at its new address alone once it was changed, by whoever looks meanwhile", async () => {
  const other = new ScriptedServer();
  await Promise.all([other.start(), enter()]);
  const isAsked = new Promise<void>((asked) => scene.server.instead.set("list", () => asked()));
  const looks = look().then(look);
  await isAsked;
  scene.server.instead.clear();
  await enter({ url: other.url }, "new-key");
  await looks;
  other.heard.length = 0;
  await look();
  expect([
    other.heard.length,
    scene.server.heard.some(({ headers }) => headers["x-api-key"] === "new-key"),
  ]).toEqual([1, false]);
  await other.stop();
});

it("sends the key that was kept for it to no other address", async () => {
  const other = new ScriptedServer();
  await Promise.all([other.start(), enter()]);
  expect(await enter({ url: other.url }, null)).toMatchObject({
    problem: { field: "key", message: expect.stringContaining("another address") },
  });
  expect(other.heard).toEqual([]);
  expect(await enter({ name: "Renamed", url: `${scene.server.url}/` }, null)).toHaveProperty("server");
  await other.stop();
});

it("says of an answer that was on its way to a server that is removed that nobody knows", async () => {
  const row = await oneCard();
  const isAsked = new Promise<void>((asked) => scene.server.instead.set("answer", () => asked()));
  void decide(row);
  await isAsked;
  await scene.host.serverDesk.remove("one");
  expect([receipts()[0]?.proof, pending(), scene.host.stores.executions.started()]).toEqual([
    "unknown",
    [],
    [],
  ]);
  expect(scene.host.stores.threads.get(row.threadId).status).toBe("done");
});

it("keeps the key out of what a server repeats of it", async () => {
  const row = await oneCard(batchOf(`echo ${key}`));
  scene.server.instead.set("answer", (response) =>
    response.writeHead(422).end(`bad header x-api-key: ${key}`),
  );
  await decide(row, { type: "reject" });
  await scene.host.until(isWaiting);
  scene.server.instead.set("list", (response) =>
    response.writeHead(307, { location: `/login?key=${key}` }).end(),
  );
  const { state } = await look();
  const said = JSON.stringify([row, pending(), state, [...scene.host.stores.ledger.all()]]);
  expect(said).toContain("bad header x-api-key: <its key>");
  expect(said).not.toContain(key);
});

it("keeps a key out of what stands behind escapes, in names and in pieces, and such a card takes no yes", async () => {
  const written = (text: string) => [...text].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join("");
  const half = key.length / 2;
  const args = `{"whole":"${written(key)}","left":"${key.slice(0, half)}","right":"${key.slice(half)}","${written(key)}":1}`;
  scene.server.ask("a", batchOf("echo"));
  scene.server.instead.set("thread", (response) => {
    const value = JSON.stringify(batchOf("x")).replace('{"command":"x"}', args);
    const row = { thread_id: "a", status: "interrupted", metadata: { graph_id: "agent" } };
    response.end(`${JSON.stringify(row).slice(0, -1)},"interrupts":{"t":[{"id":"int-a","value":${value}}]}}`);
  });
  await enter();
  const [row] = pending();
  expect([row?.args, row?.allowed]).toEqual([
    { whole: "<its key>", left: "<its key>", right: "<its key>", "<its key>": 1 },
    ["reject"],
  ]);
  expect(row?.server?.limit).toContain("holds the key of its server");
});

it("goes into the header that was named, and into no other", async () => {
  expect(await enter({ auth: "header" })).toMatchObject({ problem: { field: "header" } });
  expect(scene.server.heard).toEqual([]);
  await enter({ auth: "header", header: "Farm-Key" });
  const { headers } = scene.server.heard.at(-1)!;
  expect([headers["farm-key"], headers["x-api-key"], headers.authorization]).toEqual([
    key,
    undefined,
    undefined,
  ]);
});

it.each(["host", "Content-Length", "x-auth-scheme", "a b", "a\r\nb"])(
  "a key never takes the place of the header %j",
  (header) => {
    const entered = { id: "a", name: "A", url: "https://a.example", auth: "header", place: "public", header };
    expect(remoteServerSchema.safeParse(entered).success).toBe(false);
  },
);

it("opens its key before what was decided ahead of a start is delivered", async () => {
  const { id, digest } = await oneCard();
  const by = { kind: "person" as const };
  const items = [{ id, digest }];
  await scene.host.engine.decisions.decide({ items, decision: { type: "approve" }, graceMs: 60_000, by });
  await scene.host.kill((stores) => stores.database.exec("UPDATE approvals SET effective_at = 0"));
  const { keys } = scene.host.stores;
  const { find, open } = keys;
  const opened = new Set<string>();
  // As keys in a keychain are: not there before they were opened.
  Object.assign(keys, {
    find: (name: string) => (opened.has(name) ? find(name as never) : undefined),
    open: (names: string[]) => open(names.map((name) => opened.add(name) && name) as never),
  });
  // As the end of its grace does, before any round.
  scene.host.serverDesk.source.outside?.deliver(scene.host.stores.approvals.get(id)!);
  await untilReceipt();
  expect(receipts()[0]?.proof).toBe("applied");
});

it("asks nothing without the key that belongs to it", async () => {
  await enter();
  await scene.host.stores.keys.remove("server:one");
  scene.server.heard.length = 0;
  expect((await look()).state).toMatchObject({ kind: "refused", problem: expect.stringContaining("locked") });
  expect(scene.server.heard).toEqual([]);
});

it("asks with https alone where the file says otherwise", async () => {
  await enter();
  const file = join(scene.host.root, "data-0", "remote-servers.json");
  const text = readFileSync(file, "utf8");
  await scene.host.kill();
  writeFileSync(
    file.replace("data-0", "data-1"),
    text.replace(scene.server.url, "http://farm.test").replace("loopback", "private"),
  );
  expect((await look()).state.problem).toContain("https:// alone");
});

it("keeps no card that nobody could decide of a server that was taken out of the file", async () => {
  await oneCard();
  const file = (at: number) => join(scene.host.root, `data-${at}`, "remote-servers.json");
  await scene.host.kill(() => writeFileSync(file(1), "{"));
  expect(pending()).toHaveLength(1);
  await scene.host.kill(() => rmSync(file(2)));
  expect(pending()).toEqual([]);
});

it("takes cards and key of a server that is removed with it", async () => {
  const row = await oneCard();
  await scene.host.serverDesk.remove("one");
  expect([pending(), scene.host.serverDesk.list(), scene.host.stores.keys.storageOf("server:one")]).toEqual([
    [],
    [],
    undefined,
  ]);
  expect(scene.host.stores.threads.get(row.threadId).status).toBe("done");
});
