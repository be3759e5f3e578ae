/** Fetching pages over real HTTP on loopback: what is read, what is shown, and what is refused before a byte is sent. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ResolvedAddress } from "./address-class.ts";
import { type FetchUrlOptions, fetchUrl } from "./fetch-url.ts";
import { serveSite } from "./testing/test-site.ts";
import { PrivateAddressError, WebError } from "./web-error.ts";

const granted: FetchUrlOptions = { version: "1.2.3", allowPrivate: true };
const addressOf = (address: string): ResolvedAddress[] => [
  { address, family: address.includes(":") ? 6 : 4 },
];

/** Counts as public what really is this machine, so that redirects into private space can be tried for real. */
const loopbackAsPublic: FetchUrlOptions = {
  version: "1.2.3",
  isPrivate: (address) => address !== "127.0.0.1",
};

describe("reading", () => {
  it("turns a page into its readable text with a title and absolute links", async () => {
    const article =
      "<p>The gate waits until a person decides, and then the command runs exactly once.</p>".repeat(8);
    const site = await serveSite((_request, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(`<html><head><title>How it works</title><script>steal()</script></head><body><nav>Menu</nav>
        <article><h2>Approvals</h2>${article}<ul><li>one</li><li>two</li></ul>
        <p>See <a href="/docs">the docs</a> and <a href="javascript:alert(1)">this</a>.</p><pre>npm test
  --watch</pre></article></body></html>`);
    });
    const page = await fetchUrl(`${site}/page#part`, granted);
    expect(page).toMatchObject({
      url: `${site}/page`,
      finalUrl: `${site}/page`,
      status: 200,
      title: "How it works",
      redirects: [],
      truncated: false,
    });
    expect(page.text).toContain("## Approvals");
    expect(page.text).toContain("- one\n- two");
    expect(page.text).toContain(`[the docs](${site}/docs) and this.`);
    expect(page.text).toContain("```\nnpm test\n  --watch\n```");
    expect(page.text).not.toMatch(/steal|javascript:|Menu/);
  });

  it("gives text and JSON as they are, in their charset, also compressed", async () => {
    const site = await serveSite((request, response) => {
      if (request.url === "/json") response.setHeader("content-type", "application/json").end('{"a": [1]}');
      else if (request.url === "/latin")
        response.setHeader("content-type", "text/plain; charset=iso-8859-1").end(Buffer.from([0xe9]));
      else
        response
          .writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" })
          .end(gzipSync("zipped"));
    });
    expect((await fetchUrl(`${site}/json`, granted)).text).toBe('{"a": [1]}');
    expect((await fetchUrl(`${site}/latin`, granted)).text).toBe("é");
    expect((await fetchUrl(`${site}/zip`, granted)).text).toBe("zipped");
  });

  it("sends a name, no cookies and no credentials", async () => {
    let seen: IncomingMessage["headers"] = {};
    const site = await serveSite((request, response) => {
      seen = request.headers;
      if (request.url === "/") response.setHeader("content-type", "text/plain").end("arrived");
      else response.writeHead(302, { location: "/", "set-cookie": "a=b" }).end();
    });
    expect((await fetchUrl(`${site}/from`, granted)).text).toBe("arrived");
    expect(seen["user-agent"]).toBe("Countersign/1.2.3");
    expect(seen).not.toHaveProperty("cookie");
    expect(seen).not.toHaveProperty("authorization");
    await expect(fetchUrl("https://name:pass@example.com/", granted)).rejects.toMatchObject({
      code: "invalid-url",
    });
  });

  it("answers with an error status instead of failing", async () => {
    const site = await serveSite(
      (_request, response) =>
        void response.writeHead(404, { "content-type": "text/plain" }).end("no such page"),
    );
    expect(await fetchUrl(site, granted)).toMatchObject({ status: 404, text: "no such page" });
  });
});

describe("limits", () => {
  it("cuts at the size, also of what a small compressed answer unpacks to", async () => {
    const site = await serveSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(50_000_000, "x")));
    });
    const page = await fetchUrl(site, { ...granted, maxBytes: 1_000 });
    expect(page).toMatchObject({ truncated: true, text: "x".repeat(1_000) });
  });

  it("stops a server that never ends, in time or when told to", async () => {
    const site = await serveSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("begun");
    });
    await expect(fetchUrl(site, { ...granted, timeoutMs: 50 })).rejects.toMatchObject({ code: "timeout" });
    const stop = new AbortController();
    const fetching = fetchUrl(site, { ...granted, signal: stop.signal });
    stop.abort(new Error("the person stopped it"));
    await expect(fetching).rejects.toThrow("the person stopped it");
  });

  it("says so when the connection breaks or the compression is damaged", async () => {
    const site = await serveSite((request, response) => {
      response.writeHead(200, {
        "content-type": "text/plain",
        "content-encoding": request.url === "/bad" ? "gzip" : "identity",
        "content-length": 100,
      });
      response.write("not gzip at all");
      if (request.url === "/cut") response.destroy();
      else response.end("x".repeat(85));
    });
    await expect(fetchUrl(`${site}/cut`, granted)).rejects.toMatchObject({ code: "network" });
    await expect(fetchUrl(`${site}/bad`, granted)).rejects.toMatchObject({ code: "network" });
  });

  it("refuses what is not text, is no address, or has no host", async () => {
    const site = await serveSite(
      (_request, response) => void response.setHeader("content-type", "image/png").end("png"),
    );
    await expect(fetchUrl(site, granted)).rejects.toMatchObject({ code: "content-type" });
    for (const url of ["file:///etc/passwd", "ftp://example.com", "example.com", ""]) {
      await expect(fetchUrl(url, granted), url).rejects.toMatchObject({ code: "invalid-url" });
    }
    const nowhere = { ...granted, resolve: async () => [] };
    await expect(fetchUrl("http://no.such.host/", nowhere)).rejects.toMatchObject({ code: "unresolvable" });
  });
});

describe("private addresses", () => {
  it("are refused before a connection is made, however they are written", async () => {
    let connections = 0;
    const site = await serveSite((_request, response) => {
      connections++;
      response.end("secret");
    });
    const { port } = new URL(site);
    for (const host of [
      "127.0.0.1",
      "localhost",
      "0x7f.1",
      "2130706433",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "0.0.0.0",
    ]) {
      await expect(fetchUrl(`http://${host}:${port}/`, { version: "1" }), host).rejects.toBeInstanceOf(
        PrivateAddressError,
      );
    }
    expect(connections).toBe(0);
  });

  it("are refused behind a name although a person said yes, because the card showed no address of theirs", async () => {
    let connections = 0;
    const site = await serveSite((_request, response) => void response.end(String(connections++)));
    const { port } = new URL(site);
    const resolve = async () => addressOf("127.0.0.1");
    const url = `http://rebinding.test:${port}/`;
    for (const allowPrivate of [false, true]) {
      const asked = { version: "1", resolve, allowPrivate };
      await expect(fetchUrl(url, asked)).rejects.toBeInstanceOf(PrivateAddressError);
    }
    const elsewhere = { ...granted, resolve: async () => addressOf("10.0.0.7") };
    await expect(fetchUrl(`http://localhost:${port}/`, elsewhere)).rejects.toThrow(/10\.0\.0\.7/);
    expect(connections).toBe(0);
  });

  it("are refused when only one of several addresses of a name is private", async () => {
    const resolve = async () => [...addressOf("93.184.216.34"), ...addressOf("10.0.0.7")];
    await expect(fetchUrl("http://both.test/", { version: "1", resolve })).rejects.toThrow(/10\.0\.0\.7/);
  });

  it("are connected to by the address that was checked, not by a second look-up", async () => {
    const site = await serveSite(
      (request, response) => void response.setHeader("content-type", "text/plain").end(request.headers.host),
    );
    const { port } = new URL(site);
    let lookups = 0;
    const resolve = async () => {
      lookups++;
      return addressOf("127.0.0.1");
    };
    const page = await fetchUrl(`http://only-here.invalid:${port}/`, { ...loopbackAsPublic, resolve });
    expect(page.text).toBe(`only-here.invalid:${port}`);
    expect(lookups).toBe(1);
  });
});

describe("redirects", () => {
  it("are followed and shown", async () => {
    const site = await serveSite((request, response) => {
      const next: Record<string, string> = { "/a": "b", "/b": "/c?x=1" };
      const location = next[request.url ?? ""];
      if (location) response.writeHead(302, { location }).end();
      else response.setHeader("content-type", "text/plain").end("arrived");
    });
    expect(await fetchUrl(`${site}/a`, granted)).toMatchObject({
      url: `${site}/a`,
      finalUrl: `${site}/c?x=1`,
      redirects: [`${site}/b`, `${site}/c?x=1`],
      text: "arrived",
    });
  });

  it("end after five", async () => {
    let requests = 0;
    const site = await serveSite(
      (_request, response) => void response.writeHead(302, { location: `/${++requests}` }).end(),
    );
    await expect(fetchUrl(site, granted)).rejects.toMatchObject({ code: "too-many-redirects" });
    expect(requests).toBe(6);
  });

  it("into private space or to another scheme are refused, from a public page as from a granted private one", async () => {
    let secrets = 0;
    const inner = await serveSite((_request, response) => void response.end(String(secrets++)));
    const targets = [
      "http://169.254.169.254/latest/meta-data",
      "http://[::1]/",
      inner.replace("127.0.0.1", "internal.test"),
    ];
    for (const location of targets) {
      const site = await serveSite((_request, response) => void response.writeHead(301, { location }).end());
      const resolve = async () => addressOf("10.1.2.3");
      await expect(fetchUrl(site, { ...loopbackAsPublic, resolve }), location).rejects.toBeInstanceOf(
        PrivateAddressError,
      );
    }
    const toFile = await serveSite(
      (_request, response) => void response.writeHead(301, { location: "file:///etc/passwd" }).end(),
    );
    await expect(fetchUrl(toFile, loopbackAsPublic)).rejects.toMatchObject({ code: "invalid-url" });
    const toOther = await serveSite(
      (_request, response) => void response.writeHead(301, { location: inner }).end(),
    );
    await expect(fetchUrl(toOther, granted)).rejects.toBeInstanceOf(PrivateAddressError);
    expect(secrets).toBe(0);
  });
});

it("reports a refused connection as a network failure with the address", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  const failed = await fetchUrl(`http://127.0.0.1:${port}/`, granted).catch((cause) => cause);
  expect(failed).toBeInstanceOf(WebError);
  expect(failed).toMatchObject({ code: "network", message: expect.stringContaining(String(port)) });
});
