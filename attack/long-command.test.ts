/** Commands as long as a message can be, and as long as a shell starts: judged, shown, decided and run over each door. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newCommandId } from "../src/main/base/command-id.ts";
import { makeFolders, openHost, removeFolders } from "../src/main/host/testing/host-fixture.ts";
import { wirePairs } from "../src/main/serve/testing/wire-pairs.ts";
import { createClient } from "../src/shared/wire/client.ts";

const longestMessage = 199_980;
/** With what the words around it take, the most that Linux starts a shell with. */
const longestStarted = 120 * 1024;

it.skipIf(process.platform === "win32")(
  "nobody is asked about a command that no shell starts, and one that just fits runs as it was shown",
  async () => {
    const folders = await makeFolders();
    onTestFinished(() => removeFolders(folders));
    const { console, host, close } = await openHost(folders);
    onTestFinished(close);
    const pad = (length: number) => `touch never # ${"x".repeat(length)}`.slice(0, length);
    for (const [length, told] of [
      [longestMessage, "Put what it holds into a file"],
      [longestStarted + 1, "too long. Write it to a script"],
    ] as const) {
      const refused = await console.start(`run ${pad(length)}`);
      await console.untilStatus(refused, "done");
      expect(console.pending(refused)).toEqual([]);
      expect((await console.toolCalls(refused)).map(({ result }) => result)).toEqual([
        expect.stringContaining(told),
      ]);
    }
    for (const door of ["Electron's MessagePortMain", "WebSocket"]) {
      const wire = await wirePairs[door]!();
      onTestFinished(() => wire.dispose());
      host.connect(wire.host);
      const window = createClient(wire.client);
      const command = `printf '%s' '${"é".repeat(20_000)}${"x".repeat(longestStarted - 40_040)}' > out.txt`;
      expect(Buffer.byteLength(command)).toBeGreaterThan(longestStarted - 50);
      const threadId = await console.start(`run ${command}`);
      const asked = await console.onePending(threadId);
      const { approval } = await window.call("approvals.get", { id: asked.id });
      expect(approval.subject).toMatchObject({ kind: "command", command });
      const { outcomes } = await window.call("approvals.decide", {
        commandId: newCommandId(),
        items: [{ id: asked.id, digest: approval.digest }],
        decision: { type: "approve" },
      });
      expect(outcomes).toMatchObject([{ ok: true }]);
      await console.untilStatus(threadId, "done");
      expect(await readFile(join(folders.workspace, "out.txt"), "utf8")).toBe(
        /'([^'%]{9,})'/.exec(command)![1],
      );
      const { entries } = await window.call("approvals.ledger", { limit: 1 });
      expect(await window.call("approvals.ledgerEntry", { id: entries[0]!.id })).toMatchObject({
        originalArgs: { command },
      });
    }
  },
);
