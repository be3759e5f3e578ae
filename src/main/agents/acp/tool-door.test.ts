/** The door to our tools, with the very program that an agent starts as its server. */
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, afterEach, expect, it } from "vitest";
import { findProgram } from "../../shell/find-program.ts";
import { createToolServer, type TakeCall } from "./governed-agent.ts";
import { createKeptSessions } from "./kept-session.ts";
import { openToolDoor, type ToolDoor } from "./tool-door.ts";

const dataDir = mkdtempSync(join(tmpdir(), "countersign-door-"));
const curl = findProgram("curl", process.env.PATH ?? "")!;
const tool = { name: "echo", description: "Says it again", argsSchema: { type: "object" } };
let door: ToolDoor;
const clients: Client[] = [];

/** @param cwd where the agent stands, with its own PATH. */
async function open(
  take: TakeCall | undefined,
  how: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Client> {
  door = await openToolDoor({ dataDir, curl }, await createToolServer([tool], () => take));
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  await client.connect(new StdioClientTransport({ ...door.program, args: [...door.program.args], ...how }));
  return client;
}

afterAll(() => rmSync(dataDir, { recursive: true }));

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  door.close();
});

it.skipIf(process.platform === "win32")("brings calls and answers of any size, several at once", async () => {
  const client = await open(async ({ args }) => ({ text: String(args.text), isError: false }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["echo"]);
  const texts = ["a'b\"c\\d\n$(e)", "é".repeat(200_000), ""];
  const answers = await Promise.all(
    texts.map((text) => client.callTool({ name: "echo", arguments: { text } })),
  );
  expect(answers.map(({ content }) => content)).toEqual(texts.map((text) => [{ type: "text", text }]));
});

it.skipIf(process.platform === "win32")(
  "is open to its user alone, has no secret in its words, and is gone when it is closed",
  async () => {
    const client = await open(undefined);
    const [socket] = readdirSync(dataDir).filter((name) => name.endsWith(".sock"));
    const [script] = door.program.args;
    for (const path of [join(dataDir, socket!), script!]) expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync(script!, "utf8")).toContain(socket!);
    expect(await client.callTool({ name: "echo", arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("Nothing was asked of you") }],
    });
    door.close();
    expect([existsSync(join(dataDir, socket!)), existsSync(script!)]).toEqual([false, false]);
  },
);

it.skipIf(process.platform === "win32")(
  "leaves nothing behind for good when its host was killed",
  async () => {
    door = await openToolDoor({ dataDir, curl }, () => undefined);
    const [script] = door.program.args;
    const left = readdirSync(dataDir).filter((name) => name.endsWith(".sock"));
    expect([left.length, existsSync(script!)]).toEqual([1, true]);
    writeFileSync(join(dataDir, "tools-of-mine.sock"), "");
    await createKeptSessions(dataDir).endLeft();
    expect([readdirSync(dataDir), existsSync(script!)]).toEqual([["tools-of-mine.sock"], false]);
  },
);

it.skipIf(process.platform === "win32")("tells who takes a call that the agent is gone", async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  const client = await open((_asked, withdrawn) => {
    asked.resolve(withdrawn);
    return new Promise(() => undefined);
  });
  client.callTool({ name: "echo", arguments: {} }).catch(() => undefined);
  const withdrawn = await asked.promise;
  await client.close();
  await expect.poll(() => withdrawn.aborted).toBe(true);
});

it.skipIf(process.platform === "win32")(
  "is shut to one who gives two calls one id, and none of them waits on",
  async () => {
    const calls: AbortSignal[] = [];
    const client = await open((_asked, withdrawn) => {
      calls.push(withdrawn);
      return new Promise(() => undefined);
    });
    const params = { name: "echo", arguments: {} };
    const call = { jsonrpc: "2.0" as const, id: 77, method: "tools/call", params };
    await client.transport!.send(call);
    await client.transport!.send(call);
    await expect.poll(() => calls.map(({ aborted }) => aborted)).toEqual([true]);
  },
);

it.skipIf(process.platform === "win32")(
  "starts no program of the folder that an agent stands in",
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), "countersign-folder-"));
    for (const name of ["curl", "printf", "kill"])
      writeFileSync(join(cwd, name), "#!/bin/sh\ntouch ran-here\n", { mode: 0o700 });
    const env = { PATH: `.:${cwd}`, ENV: join(cwd, "curl"), CURL_HOME: cwd };
    const client = await open(async () => ({ text: "yes", isError: false }), { cwd, env });
    expect(await client.callTool({ name: "echo", arguments: {} })).toMatchObject({ isError: false });
    expect(readdirSync(cwd)).not.toContain("ran-here");
    rmSync(cwd, { recursive: true });
  },
);

it.skipIf(process.platform === "win32")(
  "holds no more than an agent might read that reads nothing",
  async () => {
    const links: Transport[] = [];
    door = await openToolDoor({ dataDir, curl }, (link) => void links.push(link));
    const [socketPath] = readdirSync(dataDir).filter((name) => name.endsWith(".sock"));
    const reader = request({ socketPath: join(dataDir, socketPath!), path: "/1/out" }).end();
    await once(reader, "response");
    const [link] = links;
    let isClosed = false;
    link!.onclose = () => {
      isClosed = true;
    };
    const result = { text: "x".repeat(1024 * 1024) };
    for (let sent = 0; sent < 100 && !isClosed; sent += 1)
      await link!.send({ jsonrpc: "2.0", id: sent, result });
    expect(isClosed).toBe(true);
  },
);

it.skipIf(process.platform === "win32")("is given no more links than an agent has use for", async () => {
  const links: Transport[] = [];
  door = await openToolDoor({ dataDir, curl }, (link) => void links.push(link));
  const [socketPath] = readdirSync(dataDir).filter((name) => name.endsWith(".sock"));
  const statusOf = async (link: number) => {
    const reader = request({ socketPath: join(dataDir, socketPath!), path: `/${link}/out` }).end();
    const [{ statusCode }] = await once(reader, "response");
    return statusCode;
  };
  const all = await Promise.all(Array.from({ length: 20 }, (_, at) => statusOf(at)));
  expect(all.filter((status) => status === 200)).toHaveLength(16);
  expect(all.filter((status) => status === 404)).toHaveLength(4);
  // One that goes makes room.
  await links[0]!.close();
  expect(await statusOf(99)).toBe(200);
});
