/** A command's card shows how much it prints while it runs, and afterwards its output in the colours and length it had. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { executionIdSchema } from "../../../../shared/ids.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { call, lastPosition, sampleThread } from "../../../testing/samples.ts";

const log = page.getByRole("log", { name: "Conversation" });
const result = log.getByRole("figure", { name: "Result" });

let made = 0;
/** Logs are kept by their command, so each test has its own. */
const newExecutionId = () => executionIdSchema.parse(`x${++made}`);

async function openWith(item: ReturnType<typeof call>) {
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done" })], approvals: [] },
    {},
    "#/thread/t1",
  );
  const first = { kind: "page" as const, items: [item], hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  return host;
}

function printed(lines: readonly string[], more: { truncated?: boolean; bytes?: number } = {}) {
  const executionId = newExecutionId();
  return call("npm test", {
    executionId,
    result: `${lines.join("\n")}\n\n[Command succeeded with exit code 0]${more.truncated ? "\n[Output was truncated due to size limits]" : ""}`,
    receipt: { executionId, exitCode: 0, durationMs: 5, bytes: 100, ...more },
  });
}

it("shows finished output in its colours, once its log was read", async () => {
  const host = await openWith(printed(["3 passed", "1 failed"]));
  await expect.element(result).toHaveTextContent("3 passed1 failed");
  const data = "\u001b[32m3 passed\u001b[0m\r\n\u001b[1;31m1 failed\u001b[0m\r\n";
  await vi.waitFor(() =>
    expect(host.push("executions.watch", { data, state: "ended", bytes: 100, lines: 2 })).toBe(1),
  );
  const failed = result.getByText("1 failed");
  await expect.element(failed).toHaveAttribute("style", expect.stringContaining("--ansi-1"));
  await expect.element(result).toHaveTextContent(/^3 passed1 failed$/);
});

it("counts the lines there were, also those the agent did not get", async () => {
  const all = Array.from({ length: 900 }, (_, at) => `line ${at}.`);
  const cut = [...all.slice(0, 40), "[900 bytes omitted; full log: /logs/x.log]", ...all.slice(-400)];
  const host = await openWith(printed(cut, { truncated: true }));
  await expect.element(result.getByRole("button", { name: /Show all 441 lines/ })).toBeVisible();
  const data = all.join("\r\n");
  await vi.waitFor(() =>
    expect(host.push("executions.watch", { data, state: "ended", bytes: 8_000, lines: 900 })).toBe(1),
  );
  await result.getByRole("button", { name: "885 lines folded · Show all 900 lines" }).click();
  await expect.element(log).toHaveTextContent("The agent got the beginning and the end of it.");
});

it("says how many lines there were where even the log is too long to be shown", async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at}.`);
  const host = await openWith(printed(lines, { truncated: true }));
  const data = lines.join("\r\n");
  await vi.waitFor(() =>
    expect(host.push("executions.watch", { data, state: "ended", bytes: 8_000_000, lines: 200_000 })).toBe(1),
  );
  const more = result.getByRole("button", { name: "199985 lines folded · Show 60 of 200000 lines" });
  await expect.element(more).toBeVisible();
});

it("says how much a running command has printed, beside how long it runs", async () => {
  const host = await openWith(
    call("watch", {
      state: "running",
      outcome: undefined,
      executionId: newExecutionId(),
      startedAt: Date.now() - 60_000,
    }),
  );
  const item = { data: "compiling\r\n", state: "running" as const, bytes: 81_400 };
  await vi.waitFor(() => expect(host.push("executions.watch", item)).toBe(1));
  await expect.element(log.getByText(/^81 kB printed · 1 m/)).toBeVisible();
});
