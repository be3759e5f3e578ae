/** How often servers are asked, and by which certificates they are trusted, over real HTTP and TLS. */
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { otherAuthority, selfSigned } from "./testing/self-signed.ts";
import { createServerScene } from "./testing/server-scene.ts";

const scene = createServerScene();
const { enter, look } = scene;

describe("a server", () => {
  it("is asked every five seconds while a window is in view, every minute otherwise, and at once when one comes", async () => {
    const pauses: number[] = [];
    let goOn = () => {};
    const heard = () => scene.host.changes.tell({ kind: "host" });
    await scene.reopen({
      pause: (ms, signal) =>
        new Promise((resolve, reject) => {
          pauses.push(ms);
          goOn = resolve;
          signal.addEventListener("abort", () => reject(signal.reason));
          heard();
        }),
    });
    const rounds = (count: number) => scene.host.until(() => pauses.length === count);
    await enter();
    scene.host.serverDesk.begin();
    await rounds(1);
    const leave = scene.host.serverDesk.inView();
    await rounds(2);
    const leaveOther = scene.host.serverDesk.inView();
    leave();
    leave();
    goOn();
    await rounds(3);
    leaveOther();
    goOn();
    await rounds(4);
    const [hidden, inView, stillInView, hiddenAgain] = pauses.map((ms) => Math.round(ms / 1_000));
    for (const ms of [hidden, hiddenAgain]) expect(ms).toBeGreaterThanOrEqual(45);
    for (const ms of [inView, stillInView]) expect(ms).toBeLessThan(8);
    // One that is silent is asked no sooner since somebody looks.
    await scene.server.stop();
    goOn();
    await rounds(5);
    const asked = scene.server.heard.length;
    scene.host.serverDesk.inView();
    expect([pauses.length, scene.server.heard.length]).toEqual([5, asked]);
  });
});

describe("a server that signs its certificate itself", () => {
  let secure: Server | undefined;
  afterEach(() => void secure?.close());

  async function openSecure(): Promise<string> {
    secure = createServer(selfSigned, (_request, response) => response.end("[]")).listen(0, "127.0.0.1");
    await new Promise((listening) => secure!.once("listening", listening));
    return `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
  }
  function write(name: string, text: string): string {
    const file = join(scene.host.root, name);
    writeFileSync(file, text);
    return file;
  }

  it("is trusted by the file that was named for it and by no other, as it was when the server was saved", async () => {
    const url = await openSecure();
    const problem = (message: string, field = "url") => ({
      problem: { field, message: expect.stringContaining(message) },
    });
    expect(await enter({ url })).toMatchObject(problem("name the file of its certificates"));
    const own = write("own.pem", selfSigned.cert);
    const other = write("other.pem", otherAuthority);
    expect(await enter({ url, authorityFile: other })).toMatchObject(problem("is not trusted here"));
    expect(await enter({ url, authorityFile: own })).toMatchObject({ server: { authorityFile: own } });
    expect((await look()).state.kind).toBe("answers");
    write("own.pem", otherAuthority + selfSigned.cert);
    expect((await look()).state.problem).toContain("something else than when the server was saved");
  });

  it.each([
    ["own.pem", selfSigned.cert + selfSigned.key, "private key"],
    ["own.pem", "hello", "holds no certificate"],
    ["own.pem", selfSigned.cert.replace("MII", "AAA"), "cannot be read"],
  ])("is not entered with a file %s that says %j", async (name, text, why) => {
    const entered = await enter({ url: "https://127.0.0.1:1", authorityFile: write(name, text) });
    expect(entered).toMatchObject({
      problem: { field: "authorityFile", message: expect.stringContaining(why) },
    });
  });

  it("is not entered with a file that is none or far away, or over http", async () => {
    for (const authorityFile of ["own.pem", join(scene.host.root, "none"), scene.host.root])
      expect(await enter({ url: "https://127.0.0.1:1", authorityFile })).toHaveProperty("problem");
    const http = await enter({ authorityFile: write("own.pem", selfSigned.cert) });
    expect(http).toMatchObject({ problem: { message: expect.stringContaining("https:// alone") } });
  });
});
