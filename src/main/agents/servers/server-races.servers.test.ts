/** Two consoles and another client that answer the same question of a real server; `npm run test:servers` runs it. */
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SourceHost } from "../../engine/testing/source-host.ts";
import { ownNetwork } from "./server-request.ts";
import { installed, RealServer } from "./testing/real-server.ts";

/** `COUNTERSIGN_SERVER_RACES=200` for the long run. */
const races = Number(process.env.COUNTERSIGN_SERVER_RACES ?? "10");
/** As far apart as two people who saw the same notification. */
const mostApartMs = 500;
const approve = { type: "approve" } as const;

let server: RealServer;
let hosts: SourceHost[];

const proofs = (of: SourceHost) => [...of.stores.ledger.all()].map(({ receipt }) => receipt?.answer?.proof);
const cardsOf = (thread: string, on: SourceHost) =>
  on.stores.approvals.pending().filter((row) => row.server?.thread === thread);

describe.skipIf(installed === undefined)("a real server", () => {
  beforeEach(async () => {
    server = new RealServer();
    await server.start();
    hosts = [new SourceHost({}, ownNetwork), new SourceHost({}, ownNetwork)];
    for (const one of hosts) {
      await one.open();
      await one.serverDesk.save({ id: "real", name: "Real", url: server.url, auth: "none" }, undefined);
    }
  });
  afterEach(async () => {
    for (const one of hosts) {
      await one.close();
      one.remove();
    }
    await server.close();
  });

  it(`has one effect in ${races} races of two consoles and another client, and each receipt tells whose it was`, async () => {
    const later = () => wait(Math.random() * mostApartMs);
    for (let round = 0; round < races; round += 1) {
      const thread = await server.begin("agent", `run R${round}`);
      const lookAll = () => Promise.all(hosts.map((one) => one.serverDesk.lookNow("real")));
      await lookAll();
      const rows = hosts.map((one) => cardsOf(thread, one)[0]);
      const resume = {
        [rows[0]?.server?.interrupt ?? ""]: { decisions: [{ type: "reject", message: "no" }] },
      };
      // What it hears when it comes second is no JSON.
      const theirs = () =>
        server
          .ask(`/threads/${thread}/runs`, { assistant_id: "agent", command: { resume } })
          .catch(() => undefined);
      await Promise.all([
        ...hosts.map(async (one, at) => {
          await later();
          await one.decide(rows[at]!, approve);
        }),
        // Every other round is between the two consoles alone.
        ...(round % 2 === 0 ? [later().then(theirs)] : []),
      ]);
      for (const one of hosts)
        await one.until(() => proofs(one).length === round + 1 && !proofs(one).includes(undefined));
      await server.settle(thread);
      await lookAll();
      const told = hosts.map((one) => proofs(one).at(-1));
      const applied = told.filter((proof) => proof === "applied").length;
      expect([applied <= 1, server.newEffects().length], `round ${round}: ${told}`).toEqual([
        true,
        2 * applied,
      ]);
      if (round % 2 === 1) expect(applied, `round ${round}: ${told}`).toBe(1);
      for (const proof of told) expect(["applied", "elsewhere", "gone", "unsent"]).toContain(proof);
      for (const one of hosts) expect(cardsOf(thread, one)).toEqual([]);
    }
  });
});
