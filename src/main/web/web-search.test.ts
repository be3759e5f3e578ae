/** Searching through a real HTTP service on loopback that speaks as Tavily and SearXNG do. */
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { serveSite } from "./testing/test-site.ts";
import { webSearch } from "./web-search.ts";

const options = { version: "1.2.3" };

describe("webSearch", () => {
  it("is off until a service is configured", async () => {
    await expect(webSearch("x", { provider: "off" }, options)).rejects.toMatchObject({ code: "search-off" });
  });

  it("asks Tavily with the key and reads its results", async () => {
    let seen: unknown;
    const site = await serveSite(async (request, response) => {
      seen = [request.method, request.url, request.headers.authorization, JSON.parse(await text(request))];
      const results = [
        { title: "One", url: "https://one.test/", content: "x".repeat(5_000), score: 1 },
        { nonsense: true },
        { url: "https://two.test/" },
      ];
      response.end(JSON.stringify({ results }));
    });
    const found = await webSearch(
      "gates",
      { provider: "tavily", apiKey: "tvly-1", baseUrl: `${site}/v1` },
      { ...options, maxResults: 3 },
    );
    expect(seen).toEqual(["POST", "/v1/search", "Bearer tvly-1", { query: "gates", max_results: 3 }]);
    expect(found).toEqual([
      { title: "One", url: "https://one.test/", snippet: "x".repeat(1_000) },
      { title: "https://two.test/", url: "https://two.test/", snippet: "" },
    ]);
  });

  it("asks SearXNG on this machine and keeps to the number of results", async () => {
    let asked = "";
    const site = await serveSite((request, response) => {
      asked = request.url ?? "";
      response.end(
        JSON.stringify({
          results: Array.from({ length: 30 }, (_, index) => ({
            title: `${index}`,
            url: `https://r.test/${index}`,
            content: "c",
          })),
        }),
      );
    });
    const found = await webSearch("a b&c", { provider: "searxng", url: `${site}/searx` }, options);
    expect(asked).toBe("/searx/search?q=a+b%26c&format=json");
    expect(found).toHaveLength(8);
  });

  it("says what to do when the service refuses, answers nonsense or does not answer", async () => {
    const site = await serveSite((request, response) => {
      if (request.url?.startsWith("/key")) response.writeHead(401).end();
      else if (request.url?.startsWith("/html")) response.end("<html>");
      else if (request.url?.startsWith("/odd")) response.end('{"items":[]}');
      else if (request.url?.startsWith("/busy")) response.writeHead(503).end();
    });
    const search = (path: string, limit = {}) =>
      webSearch("x", { provider: "searxng", url: `${site}${path}` }, { ...options, ...limit });
    await expect(search("/key")).rejects.toThrow(/401.*settings\.yml/);
    await expect(search("/html")).rejects.toThrow(/did not answer with JSON/);
    await expect(search("/odd")).rejects.toThrow(/without a list of results/);
    await expect(search("/busy")).rejects.toThrow(/503.*later/);
    await expect(search("/silent", { timeoutMs: 100 })).rejects.toMatchObject({ code: "timeout" });
    await expect(
      webSearch("x", { provider: "tavily", apiKey: "wrong", baseUrl: `${site}/key` }, options),
    ).rejects.toThrow(/Tavily key/);
  });
});
