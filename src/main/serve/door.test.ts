/** The door as a program on the same machine meets it: real sockets, real HTTP, good and bad manners. */
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { maxFrameBytes } from "../../shared/wire/frames.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { createAccess } from "./access.ts";
import { createDoor, type Door, type DoorOptions } from "./door.ts";
import { PortError } from "./listen.ts";
import { loadStaticFiles, type StaticFiles } from "./static-files.ts";
import { exchangeAddress } from "./testing/exchange-address.ts";
import { openSocket, type TestDoor, tokenOf } from "./testing/open-socket.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const files: StaticFiles = new Map([
  ["/", { body: Buffer.from("<!doctype html><title>Countersign</title>"), type: "text/html; charset=utf-8" }],
  ["/assets/a.js", { body: Buffer.from("1"), type: "text/javascript; charset=utf-8" }],
]);

const code = { lifetimeMs: 60_000, isExposed: false };

async function open(
  options: Partial<DoorOptions> = {},
): Promise<Door & TestDoor & { transports: Transport[] }> {
  const transports: Transport[] = [];
  const access = createAccess();
  const onTransport = (transport: Transport) => {
    // Something has to listen, as the host does, or nothing is ever read.
    transport.onFrame((frame) => transport.send(`echo ${frame}`));
    transports.push(transport);
  };
  const door = await createDoor({ files, port: 0, access, onTransport, ...options });
  cleanups.push(door.close);
  return { ...door, access, transports };
}

describe("the pages", () => {
  it("come from memory with every security header and no CORS header", async () => {
    const door = await open();
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
    const door = await open();
    expect(await (await fetch(`http://127.0.0.1:${door.port}/`)).text()).not.toContain(tokenOf(door));
    expect(tokenOf(door)).toMatch(/^[\w-]{43}$/);
  });

  it("answer HEAD without a body and refuse other methods and unknown paths with the same headers", async () => {
    const door = await open();
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
    const door = await open();
    expect(await speak(door.port, request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("are read from the built folder once, links left out, and a missing build says what to do", async () => {
    const folder = await mkdtemp(join(tmpdir(), "door-"));
    cleanups.push(() => rm(folder, { recursive: true }));
    await expect(loadStaticFiles(join(folder, "absent"))).rejects.toThrow(/npm run build/);
    await mkdir(join(folder, "assets"));
    await writeFile(join(folder, "index.html"), "<p>");
    await writeFile(join(folder, "assets", "über 1.css"), "p{}");
    await symlink(tmpdir(), join(folder, "assets", "elsewhere"), "junction");
    const loaded = await loadStaticFiles(folder);
    expect([...loaded.keys()].sort()).toEqual(["/", "/assets/%C3%BCber%201.css", "/index.html"]);
    expect(loaded.get("/assets/%C3%BCber%201.css")?.type).toMatch(/^text\/css/);
  });
});

describe("the port", () => {
  it("is bound on the loopback address only", async () => {
    const door = await open();
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
    cleanups.push(async () => other.close());
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
    const door = await open();
    const socket = openSocket(door);
    await once(socket, "open");
    const closed = once(socket, "close");
    await Promise.all([door.close(), door.close()]);
    expect((await closed)[0]).toBe(1001);
    const again = await createDoor({ files, port: door.port, access: createAccess(), onTransport: () => {} });
    await again.close();
  });

  it("is freed soon even when a page never answers the goodbye", async () => {
    const door = await open();
    const silent = connectTcp({ host: "127.0.0.1", port: door.port });
    silent.write(handshake(door));
    await once(silent, "data");
    const gone = once(silent, "close");
    await door.close();
    await gone;
  });
});

describe("the wire", () => {
  it("carries frames both ways and answers with the protocol, never with the token", async () => {
    const door = await open();
    const socket = openSocket(door);
    const upgraded = once(socket, "upgrade");
    await once(socket, "open");
    socket.send("hello");
    expect(String((await once(socket, "message"))[0])).toBe("echo hello");
    expect(socket.protocol).toBe("console.v1");
    expect(JSON.stringify((await upgraded)[0].headers)).not.toContain(tokenOf(door));
  });

  it.each([
    ["another origin", { origin: "http://evil.example" }, 403],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }, 403],
    ["no origin", { origin: null }, 403],
    ["a rebound name", { host: "evil.example" }, 403],
    ["a wrong token", { protocols: ["console.v1", `auth.${"x".repeat(43)}`] }, 401],
    ["no token", { protocols: ["console.v1"] }, 401],
    ["another path", { path: "/" }, 404],
  ])("is refused to %s", async (_what, changed, status) => {
    const door = await open();
    const [, answer] = await once(openSocket(door, changed), "unexpected-response");
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    expect(door.transports).toEqual([]);
  });

  it("drops a connection that sends more than 1 MiB at once, or bytes instead of text", async () => {
    const door = await open();
    for (const payload of ["x".repeat(maxFrameBytes + 1), Buffer.from([1, 2, 3])]) {
      const socket = openSocket(door);
      await once(socket, "open");
      socket.send(payload);
      await once(socket, "close");
    }
    expect(door.transports).toHaveLength(2);
  });

  it("takes eight pages at once, refuses the ninth, and takes another when one has left", async () => {
    const door = await open();
    const sockets = Array.from({ length: 8 }, () => openSocket(door));
    await Promise.all(sockets.map((socket) => once(socket, "open")));
    const [, answer] = await once(openSocket(door), "unexpected-response");
    expect(answer.statusCode).toBe(503);
    const left = new Promise<string>((resolve) => door.transports[0]?.onClose(resolve));
    sockets[0]?.close();
    await left;
    await once(openSocket(door), "open");
  });

  it("drops a page that no longer answers pings, and keeps one that does", async () => {
    const door = await open({ pingEveryMs: 200 });
    const alive = openSocket(door);
    await once(alive, "open");
    const dead = connectTcp({ host: "127.0.0.1", port: door.port });
    dead.write(handshake(door));
    await once(dead, "data");
    dead.resume();
    await once(dead, "close");
    alive.send("still here");
    expect(String((await once(alive, "message"))[0])).toBe("echo still here");
  });

  it("cuts off a client that does not finish its request", async () => {
    const door = await open({ requestTimeoutMs: 50 });
    const slow = connectTcp({ host: "127.0.0.1", port: door.port });
    slow.write("GET /wire HTTP/1.1\r\n");
    slow.resume();
    await once(slow, "close");
  });

  it("lets a page in at once while others hold connections open and ask for nothing", async () => {
    const door = await open({ requestTimeoutMs: 3_600_000 });
    const silent = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const socket = connectTcp({ host: "127.0.0.1", port: door.port }).on("error", () => {});
        await Promise.race([once(socket, "connect"), once(socket, "close")]);
        return socket;
      }),
    );
    try {
      expect((await fetch(`http://127.0.0.1:${door.port}/`)).status).toBe(200);
      await once(openSocket(door), "open");
    } finally {
      for (const socket of silent) socket.destroy();
    }
  });

  it("hangs up on the page whose exposed address is used a second time, and on no other", async () => {
    const door = await open();
    const other = openSocket(door);
    await once(other, "open");
    const address = door.address({ ...code, isExposed: true });
    const token = await exchangeAddress(address);
    const socket = openSocket(door, { protocols: ["console.v1", `auth.${token}`] });
    await once(socket, "open");
    const closed = once(socket, "close");
    await expect(exchangeAddress(address)).rejects.toThrow("401");
    expect((await closed)[0]).toBe(1008);
    other.send("still here");
    expect(String((await once(other, "message"))[0])).toBe("echo still here");
  });
});

describe("the exchange", () => {
  const origin = (door: Door) => `http://127.0.0.1:${door.port}`;
  const ask = (door: Door, headers: Record<string, string>, method = "POST") =>
    fetch(`${origin(door)}/session`, { method, headers });

  it("gives a page of our own a token that connects, once, and lets nobody keep the answer", async () => {
    const door = await open();
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
    const door = await open();
    const good = door.access.issueCode(code);
    const headers: Record<string, string> = { Authorization: `Code ${good}`, ...given };
    if (headers.Origin === "own") headers.Origin = origin(door);
    if (headers.Authorization === "token") headers.Authorization = `Code ${tokenOf(door)}`;
    expect((await ask(door, headers, method)).status).toBe(status);
    expect(door.access.exchange(good)).toBeDefined();
  });
});

/** The raw request a page's WebSocket makes, for clients that then ignore the protocol. */
function handshake(door: TestDoor): string {
  const home = `127.0.0.1:${door.port}`;
  const lines = [
    "GET /wire HTTP/1.1",
    `Host: ${home}`,
    `Origin: http://${home}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    `Sec-WebSocket-Protocol: console.v1, auth.${tokenOf(door)}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

async function speak(port: number, request: string): Promise<string> {
  const socket = connectTcp({ host: "127.0.0.1", port });
  socket.write(request.replaceAll("PORT", String(port)));
  const [answer] = await once(socket, "data");
  socket.destroy();
  return String(answer);
}
