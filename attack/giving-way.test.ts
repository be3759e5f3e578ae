/** Large content is worked on a piece in a turn of the loop, with other work in between; turns are counted, and no time. */
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newCommandId } from "../src/main/base/command-id.ts";
import {
  type Folders,
  makeFolders,
  openHost,
  type RunningHost,
  removeFolders,
} from "../src/main/host/testing/host-fixture.ts";
import { hangGuardMs } from "../src/shared/testing/hang-guard.ts";
import { openAnsweringServer } from "./answering-server.ts";

/** By file, the places in it where a later turn of the loop was waited for. */
const waitedAt = new Map<string, Set<string>>();

vi.mock("../src/main/base/give-way.ts", async (original) => {
  const real = await original<typeof import("../src/main/base/give-way.ts")>();
  /** Notes who waits, when turns went by until it was let go on. */
  const noting = <A extends unknown[]>(give: (...args: A) => Promise<void>) => {
    return async (...args: A) => {
      const place = new Error().stack?.split("\n")[2] ?? "";
      let hasTurned = false;
      setImmediate(() => {
        hasTurned = true;
      });
      await give(...args);
      if (hasTurned) note(place);
    };
  };
  return {
    giveWay: noting(real.giveWay),
    giveWayAfter: noting(real.giveWayAfter),
    waitForTurn: noting(real.waitForTurn),
  };
});

function note(place: string): void {
  const [, path = "", line = ""] = /(?:file:\/\/)?(\/[^():]+):(\d+):\d+\)?$/.exec(place) ?? [];
  const file = relative(`${import.meta.dirname}/../src/main`, path);
  waitedAt.set(file, (waitedAt.get(file) ?? new Set()).add(line));
}

let folders: Folders;
let running: RunningHost;
let server: Awaited<ReturnType<typeof openAnsweringServer>>;

beforeAll(async () => {
  folders = await makeFolders();
  running = await openHost(folders);
  server = await openAnsweringServer(4_000);
}, 2 * hangGuardMs);

afterAll(async () => {
  vi.restoreAllMocks();
  await running.close();
  await server.close();
  await removeFolders(folders);
}, hangGuardMs);

/** Each look at the clock finds a millisecond gone, so that a place waits however fast the machine is. */
function tickWithEachLook(): void {
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1;
    return now;
  });
}

/** An agent changes most of a file, and a person looks at it and says yes. */
async function editMuch(name: string, lines: number): Promise<void> {
  const { console } = running;
  const before = "The agent says what stands in the file.\n".repeat(lines);
  await writeFile(join(folders.workspace, name), before);
  const args = { file_path: name, old_string: before, new_string: before.replaceAll("file", "page") };
  server.script("m", [{ calls: [{ id: "c", name: "edit_file", args: JSON.stringify(args) }] }]);
  const { id } = await console.client.call("threads.create", {
    commandId: newCommandId(),
    workspace: folders.workspace,
    model: { provider: "openai-compatible", model: "m", baseUrl: server.baseUrl },
  });
  await console.send(id, "go");
  const asked = await console.onePending(id);
  await console.client.call("approvals.get", { id: asked.id });
  await console.approve(asked, 0);
  await console.untilStatus(id, "done");
}

test(
  "each place that gives way lets turns of the loop go by while a large edit passes it",
  async () => {
    tickWithEachLook();
    await editMuch("large.txt", 2_500);
    // Of two lines of the ledger, the second one waits wherever the turn began that they are read in.
    await editMuch("small.txt", 1);
    waitedAt.delete("approvals/ledger.ts");
    await running.console.ledger();
    expect(Object.fromEntries([...waitedAt].map(([file, lines]) => [file, lines.size]))).toEqual({
      // Before a turn's graph is built and after, before its memory is read and before it goes on.
      "agents/deep-agent/deep-agent.ts": 3,
      "agents/deep-agent/graphs.ts": 2,
      // Before the model is asked; before its answer is checked, written down, and handed on.
      "agents/deep-agent/model-middleware.ts": 4,
      "models/guarded-fetch.ts": 1,
      // Around a call: judging, asking, deciding, drawing again, showing, acting.
      "agents/deep-agent/gate-middleware.ts": 2,
      "gate/gate.ts": 2,
      "gate/ask.ts": 1,
      "approvals/decisions.ts": 1,
      "approvals/redraw.ts": 1,
      "console/handlers/approvals.ts": 1,
      "files/file-change.ts": 1,
      // Through long lists: the ledger between two lines, and between two parts of it. The messages of a long thread have a
      // test of their own.
      "approvals/ledger.ts": 2,
      // For each call that was made before: what an agent read is looked through.
      "provenance/readings.ts": 1,
      // What a task wrote is stored with the checkpoint of its step.
      "storage/checkpointer/linear-sqlite-saver.ts": 1,
    });
  },
  2 * hangGuardMs,
);
