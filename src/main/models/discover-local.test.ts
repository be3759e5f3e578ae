import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { discoverLocal } from "./discover-local.ts";

const replies: Record<string, string> = {
  "/api/tags": JSON.stringify({ models: [{ name: "llama3.1:8b", size: 1 }, { name: "qwen3:8b" }] }),
  "/v1/models": JSON.stringify({ object: "list", data: [{ id: "local-model" }] }),
  "/odd": "<html>",
};

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const reply = replies[request.url ?? ""];
    // An address without a reply hangs, as a server does that is busy loading a model.
    if (reply !== undefined) response.end(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const at = (path: string) => ({
  label: path,
  provider: "openai-compatible" as const,
  baseUrl: url,
  listUrl: `${url}${path}`,
});

describe("looking for model servers on this computer", () => {
  it("lists the models of those that answer, in either dialect", async () => {
    expect(await discoverLocal(fetch, [at("/api/tags"), at("/v1/models")])).toEqual([
      {
        label: "/api/tags",
        provider: "openai-compatible",
        baseUrl: url,
        models: ["llama3.1:8b", "qwen3:8b"],
      },
      { label: "/v1/models", provider: "openai-compatible", baseUrl: url, models: ["local-model"] },
    ]);
  });

  it("leaves out what hangs, answers nonsense or is not there", async () => {
    const absent = { ...at("/"), listUrl: "http://127.0.0.1:1/" };
    const found = await discoverLocal(fetch, [at("/odd"), at("/hangs"), absent, at("/v1/models")]);
    expect(found.map((server) => server.label)).toEqual(["/v1/models"]);
  });

  it("knocks at loopback addresses only", async () => {
    const asked: URL[] = [];
    await discoverLocal(async (input) => {
      asked.push(new URL(String(input)));
      throw new Error("refused");
    });
    expect(asked.map((address) => address.hostname)).toEqual(["127.0.0.1", "127.0.0.1"]);
  });
});
