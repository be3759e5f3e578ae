/** The wire behind the door, over real sockets: what it carries, and whom it hangs up on. */
import { once } from "node:events";
import { connect as connectTcp, Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { maxFrameBytes } from "../../shared/wire/frames.ts";
import { exchangeAddress } from "./testing/exchange-address.ts";
import { openDoor } from "./testing/open-door.ts";
import { openSocket, tokenOf } from "./testing/open-socket.ts";
import { handshake } from "./testing/raw-request.ts";

const code = { lifetimeMs: 60_000, isExposed: false };

describe("the wire", () => {
  it("carries frames both ways and answers with the protocol, never with the token", async () => {
    const door = await openDoor();
    const socket = openSocket(door);
    const upgraded = once(socket, "upgrade");
    await once(socket, "open");
    socket.send("hello");
    expect(String((await once(socket, "message"))[0])).toBe("echo hello");
    expect(socket.protocol).toBe("console.v1");
    expect(JSON.stringify((await upgraded)[0].headers)).not.toContain(tokenOf(door));
  });

  it("sends the frames of one turn of the loop in one write, in their order", async () => {
    const door = await openDoor();
    const socket = openSocket(door);
    await once(socket, "open");
    const frames = Array.from({ length: 20 }, (_, at) => `frame ${at}`);
    const heard: string[] = [];
    const all = new Promise<void>((resolve) =>
      socket.on("message", (data) => heard.push(String(data)) === frames.length && resolve()),
    );
    const written = vi.spyOn(Socket.prototype, "_writev");
    onTestFinished(() => written.mockRestore());
    await Promise.all(frames.map(async (frame) => door.transports[0]?.send(frame)));
    await all;
    expect(heard).toEqual(frames);
    expect(written).toHaveBeenCalledOnce();
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
    const door = await openDoor();
    const [, answer] = await once(openSocket(door, changed), "unexpected-response");
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    expect(door.transports).toEqual([]);
  });

  it("drops a connection that sends more than 1 MiB at once, or bytes instead of text", async () => {
    const door = await openDoor();
    for (const payload of ["x".repeat(maxFrameBytes + 1), Buffer.from([1, 2, 3])]) {
      const socket = openSocket(door);
      await once(socket, "open");
      socket.send(payload);
      await once(socket, "close");
    }
    expect(door.transports).toHaveLength(2);
  });

  it("takes eight pages at once, refuses the ninth, and takes another when one has left", async () => {
    const door = await openDoor();
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
    const door = await openDoor({ pingEveryMs: 200 });
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
    const door = await openDoor({ requestTimeoutMs: 50 });
    const slow = connectTcp({ host: "127.0.0.1", port: door.port });
    slow.write("GET /wire HTTP/1.1\r\n");
    slow.resume();
    await once(slow, "close");
  });

  it("lets a page in at once while others hold connections open and ask for nothing", async () => {
    const door = await openDoor({ requestTimeoutMs: 3_600_000 });
    const silent = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const socket = connectTcp({ host: "127.0.0.1", port: door.port }).on("error", () => {});
        socket.resume();
        await Promise.race([once(socket, "connect"), once(socket, "close")]);
        return socket;
      }),
    );
    try {
      expect((await fetch(`http://127.0.0.1:${door.port}/`)).status).toBe(200);
      await once(openSocket(door), "open");
      // The oldest of those that ask for nothing are gone.
      await expect.poll(() => silent.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(200);
    } finally {
      for (const socket of silent) socket.destroy();
    }
  });

  it("hangs up on the page whose exposed address is used a second time, and on no other", async () => {
    const door = await openDoor();
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
