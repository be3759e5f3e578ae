/** The door as a program on the same machine meets it: real sockets, real HTTP, good and bad manners. */
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAccess } from "./access.ts";
import { createDoor, type Door } from "./door.ts";
import { PortError } from "./listen.ts";
import { loadStaticFiles } from "./static-files.ts";
import { files, openDoor } from "./testing/open-door.ts";
import { openSocket, tokenOf } from "./testing/open-socket.ts";
import { handshake, speak } from "./testing/raw-request.ts";

const code = { lifetimeMs: 60_000, isExposed: false };

describe("the pages", () => {
  it("come from memory with every security header and no CORS header", async () => {
    const door = await openDoor();
    const answer = await fetch(`http://127.0.0.1:${door.port}/assets/a.js`);
    expect(await answer.text()).toBe("1");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'; require-trusted-types-for 'script'$/,
      ),
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
    });
    const names = [...answer.headers.keys()].join();
    expect(names).not.toMatch(/access-control|set-cookie|x-powered-by/);
    expect(answer.headers.get("content-security-policy")).not.toMatch(/unsafe/);
  });

  it("hold no secret, so whoever asks without the token learns nothing", async () => {
    const door = await openDoor();
    expect(await (await fetch(`http://127.0.0.1:${door.port}/`)).text()).not.toContain(tokenOf(door));
    expect(tokenOf(door)).toMatch(/^[\w-]{43}$/);
  });

  it("answer HEAD without a body and refuse other methods and unknown paths with the same headers", async () => {
    const door = await openDoor();
    const at = `http://127.0.0.1:${door.port}`;
    const head = await fetch(`${at}/`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const [path, method, status] of [
      ["/", "POST", 405],
      ["/nothing", "GET", 404],
      ["/?x", "GET", 404],
      ["/wire", "GET", 426],
    ] as const) {
      const answer = await fetch(at + path, { method });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
  });

  it.each([
    ["a foreign host name", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403],
    ["two hosts", "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n\r\n", 403],
    ["a path out of the folder", "GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404],
    ["an encoded path out", "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404],
    ["a proxy's address form", "GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404],
    ["no HTTP", "hello\r\n\r\n", 400],
  ])("are refused for %s", async (_what, request, status) => {
    const door = await openDoor();
    expect(await speak(door.port, request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("are listed from the built folder once, links left out, and a missing build says what to do", async () => {
    const folder = await mkdtemp(join(tmpdir(), "door-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await expect(loadStaticFiles(join(folder, "absent"))).rejects.toThrow(/npm run build/);
    await mkdir(join(folder, "assets"));
    await writeFile(join(folder, "index.html"), "<p>");
    await writeFile(join(folder, "assets", "über 1.css"), "p{}");
    await symlink(tmpdir(), join(folder, "assets", "elsewhere"), "junction");
    const loaded = await loadStaticFiles(folder);
    expect([...loaded.keys()].sort()).toEqual(["/", "/assets/%C3%BCber%201.css", "/index.html"]);
    const style = loaded.get("/assets/%C3%BCber%201.css");
    expect(style?.type).toMatch(/^text\/css/);
    expect(`${await style?.read()}`).toBe("p{}");
  });

  it("keep the start page of the build that was there at the start, and answer for a part that has gone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "door-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const name of ["index.html", "part.js"]) await writeFile(join(folder, name), "first");
    const door = await openDoor({ files: await loadStaticFiles(folder) });
    await writeFile(join(folder, "index.html"), "second");
    await rm(join(folder, "part.js"));
    const answers = ["/", "/index.html", "/part.js"].map((path) =>
      fetch(`http://127.0.0.1:${door.port}${path}`).then(
        async (answer) => `${answer.status} ${await answer.text()}`,
      ),
    );
    expect(await Promise.all(answers)).toEqual(["200 first", "200 first", "404 Nothing is here.\n"]);
  });
});

describe("the port", () => {
  it("is bound on the loopback address only", async () => {
    const door = await openDoor();
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter((address) => address.family === "IPv4" && !address.internal)
      .map((address) => address.address);
    // Elsewhere than on Linux the rest of 127.0.0.0/8 leads nowhere, and slowly.
    if (process.platform === "linux") others.push("127.0.0.2");
    for (const host of others) {
      const socket = connectTcp({ host, port: door.port });
      const [error] = await once(socket, "error");
      expect(error).toMatchObject({ code: expect.stringMatching(/ECONNREFUSED|EADDRNOTAVAIL|ETIMEDOUT/) });
    }
  });

  it("when taken, is a clear error that names it and says what to do", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const refused = createDoor({ files, port, access: createAccess(), onTransport: () => {} });
    await expect(refused).rejects.toThrow(PortError);
    await expect(refused).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
    await expect(refused).rejects.toThrow("--port 0");
  });

  it("that is none is refused", async () => {
    await expect(
      createDoor({ files, port: 70_000, access: createAccess(), onTransport: () => {} }),
    ).rejects.toThrow(PortError);
  });

  it("is free again after close, which hangs up on every page", async () => {
    const door = await openDoor();
    const socket = openSocket(door);
    await once(socket, "open");
    const closed = once(socket, "close");
    await Promise.all([door.close(), door.close()]);
    expect((await closed)[0]).toBe(1001);
    const again = await createDoor({ files, port: door.port, access: createAccess(), onTransport: () => {} });
    await again.close();
  });

  it("is freed soon even when a page never answers the goodbye", async () => {
    const door = await openDoor();
    const silent = connectTcp({ host: "127.0.0.1", port: door.port });
    silent.write(handshake(door));
    await once(silent, "data");
    const gone = once(silent, "close");
    await door.close();
    await gone;
  });
});

describe("the exchange", () => {
  const origin = (door: Door) => `http://127.0.0.1:${door.port}`;
  const ask = (door: Door, headers: Record<string, string>, method = "POST") =>
    fetch(`${origin(door)}/session`, { method, headers });

  it("gives a page of our own a token that connects, once, and lets nobody keep the answer", async () => {
    const door = await openDoor();
    const headers = { Origin: origin(door), Authorization: `Code ${door.access.issueCode(code)}` };
    const answer = await ask(door, headers);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    const { token } = (await answer.json()) as { token: string };
    await once(openSocket(door, { protocols: ["console.v1", `auth.${token}`] }), "open");
    const again = await ask(door, headers);
    expect([again.status, await again.json()]).toEqual([401, {}]);
  });

  it.each([
    ["another origin", { Origin: "http://evil.example" }, "POST", 403],
    ["no origin", {}, "POST", 403],
    ["a GET", { Origin: "own" }, "GET", 405],
    [
      "the question a browser asks before another site's request",
      { Origin: "http://evil.example" },
      "OPTIONS",
      403,
    ],
    ["no code", { Origin: "own", Authorization: "" }, "POST", 401],
    ["a token in its place", { Origin: "own", Authorization: "token" }, "POST", 401],
    ["a guess", { Origin: "own", Authorization: `Code ${"x".repeat(22)}` }, "POST", 401],
  ])("is refused to %s, and the code stays good", async (_what, given, method, status) => {
    const door = await openDoor();
    const good = door.access.issueCode(code);
    const headers: Record<string, string> = { Authorization: `Code ${good}`, ...given };
    if (headers.Origin === "own") headers.Origin = origin(door);
    if (headers.Authorization === "token") headers.Authorization = `Code ${tokenOf(door)}`;
    expect((await ask(door, headers, method)).status).toBe(status);
    expect(door.access.exchange(good)).toBeDefined();
  });
});
