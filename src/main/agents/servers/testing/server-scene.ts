/** A host with its desk of servers and one scripted server over real HTTP, anew for each test of a file. */
import { afterEach, beforeEach } from "vitest";
import type { Decision } from "../../../../shared/contract/decisions.ts";
import type { ApprovalRow } from "../../../approvals/approval-row.ts";
import { noPauses, SourceHost } from "../../../engine/testing/source-host.ts";
import { batchOf, ScriptedServer } from "./scripted-server.ts";

/** With which the server is entered unless a test says otherwise. */
export const key = "secret-key-of-the-server";
const approve = { type: "approve" } as const;

/** To be made once in a test file, outside of its tests. */
export function createServerScene() {
  let host: SourceHost;
  let server: ScriptedServer;
  beforeEach(async () => {
    host = new SourceHost();
    server = new ScriptedServer();
    await Promise.all([host.open(), server.start()]);
  });
  afterEach(async () => {
    await host.close();
    await server.stop();
    host.remove();
  });

  const enter = (change: object = {}, withKey: string | null = key) =>
    host.serverDesk.save(
      { id: "one", name: "Build farm", url: server.url, auth: "x-api-key", ...change },
      withKey ?? undefined,
    );
  const pending = () => host.stores.approvals.pending();
  /** The receipts of all that was decided, oldest first. */
  const receipts = () => [...host.stores.ledger.all()].map(({ receipt }) => receipt?.answer);
  return {
    get host() {
      return host;
    },
    get server() {
      return server;
    },
    /** Another host, whose network differs in this. */
    async reopen(network: Partial<typeof noPauses>): Promise<void> {
      await host.close();
      host.remove();
      host = new SourceHost({}, { ...noPauses, ...network });
      await host.open();
    },
    enter,
    pending,
    receipts,
    look: () => host.serverDesk.lookNow("one"),
    decide: (row: ApprovalRow, decision: Decision = approve) => host.decide(row, decision),
    answers: () => server.heardOf("answer"),
    untilReceipt: () => host.until(() => receipts().some((one) => one !== undefined)),
    isWaiting: () => pending().some(({ server: card }) => card?.standing.kind === "waits"),
    /** One thread that asks, entered and shown. */
    async oneCard(value = batchOf("rm -rf build")): Promise<ApprovalRow> {
      server.ask("a", value);
      await enter();
      return pending()[0]!;
    },
  };
}
