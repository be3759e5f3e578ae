/** Forty threads in every state a person meets, with what waits in them. */
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import { sampleApproval, sampleThread } from "./samples.ts";

const titles = [
  "Checkout fails for carts above 1,000",
  "Migrate orders to discounts",
  "Lint every package",
  "Release 2.0.0",
  "Rewrite the install guide",
  "CI is slow on Windows",
  "Compare three search indexes",
  "Port the settings screen",
  "Update the snapshots",
  "Outdated dependencies",
  "Find the flaky login test",
  "Weekly notes from the log",
];
const models = ["claude-sonnet", "gpt", "gemini-pro", "qwen3-coder"];
const commands = ["git push --force origin main", "npx eslint --fix packages/ui", "npm ci", "pg_dump shop"];

/** @param now all times are told from here, so that a picture is the same every time. */
export function manyThreads(
  count = 40,
  now = Date.now(),
): { threads: ThreadSummary[]; approvals: Approval[] } {
  const threads: ThreadSummary[] = [];
  const approvals: Approval[] = [];
  for (let at = 0; at < count; at += 1) {
    const id = `t${at + 1}`;
    const title = at < titles.length ? titles[at] : `${titles[at % titles.length]} (${at + 1})`;
    const minutes = (some: number) => now - some * 60_000;
    const common = {
      title,
      model: { provider: "openai", model: models[at % models.length] },
      createdAt: minutes(900 - at),
      updatedAt: minutes(10 + at),
      workspace: `/home/ada/${at % 3 === 0 ? "shop" : "site"}`,
      cost: { dollars: 0.31 + at / 8, more: at % 4 === 3 },
    };
    const plan = { done: at % 5, steps: 4 + (at % 4) };
    const put = (change: Record<string, unknown>) => threads.push(sampleThread(id, { ...common, ...change }));
    if (at < 6) {
      put({ status: "waiting", waiting: 1 + (at % 4), plan });
      for (let one = 0; one <= at % 4; one += 1)
        approvals.push(
          sampleApproval(`${id}-${one}`, commands[(at + one) % commands.length] ?? "", {
            threadId: id,
            threadTitle: title,
            requestedAt: minutes(9 + at + one),
          }),
        );
    } else if (at < 9)
      put({
        status: "running",
        plan,
        activity: {
          kind: "call",
          tool: at === 6 ? "fetch_url" : "execute",
          about: at === 6 ? "https://sqlite.org/fts5.html" : "./gradlew assembleDebug",
          since: now - 242_000,
          beside: at === 8 ? 1 : 0,
        },
      });
    else if (at === 9)
      put({
        status: "done",
        unread: true,
        plan: { done: 4, steps: 4 },
        said: "2 of 41 packages raised, tests pass, 3 files changed",
      });
    else if (at === 10)
      put({
        status: "failed",
        unread: true,
        plan,
        problem: "The model did not answer, 3 tries. Nothing is lost.",
      });
    else if (at === 12) put({ status: "interrupted", problem: "Countersign was closed while it worked." });
    else put({ status: "done", said: "Notes for this week are in notes.md" });
  }
  return { threads, approvals };
}
