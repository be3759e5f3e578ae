import { AsyncLocalStorage } from "node:async_hooks";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, it } from "vitest";
import { lookAtDisk } from "../policy/disk.ts";
import { judgeCommand } from "../policy/judge-command.ts";
import { proposeRule } from "../policy/propose-rule.ts";
import { makeContext, makeRule } from "../policy/testing/make-context.ts";
import { createJudging, judging } from "./judging-thread.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "judging-")));
writeFileSync(join(folder, ".env"), "TOKEN=x\n");
const context = makeContext({ workspace: folder, cwd: folder, ...lookAtDisk(folder) });

afterAll(() => rmSync(folder, { recursive: true }));

it("judges as the policy itself does, the disk included", async () => {
  const commands = [
    "ls",
    "npm test",
    "npm test; rm x",
    "cat .env",
    "grep -r x .",
    "rm -rf /",
    "$(id)",
    "x()".repeat(9),
  ];
  for (const command of commands)
    expect(await judging.judge(command, context)).toEqual(judgeCommand(command, context));
  expect(await judging.propose("make x", context)).toEqual(proposeRule("make x", context));
  const past = [{ id: "1", command: "make x", decision: "approved" as const }];
  expect(await judging.preview(makeRule("make x"), past, context)).toMatchObject({ approvedIds: ["1"] });
  expect(await judging.confined(past, context)).toEqual(["1"]);
  expect(await judging.shape("touch a", context)).toBe(await judging.shape("touch b", context));
});

it("tells with the verdict of what may be asked about its shape, as it does when it is asked for alone", async () => {
  for (const command of ["touch a", "npm publish", "touch a; rm x", "cat .env"]) {
    const { verdict, shape } = await judging.judgeForCard(command, context);
    expect(verdict).toEqual(judgeCommand(command, context));
    expect(["ask", "new"], command).toContain(verdict.verdict);
    expect(shape, command).toBe(await judging.shape(command, context));
  }
  expect(await judging.judgeForCard("ls", context)).not.toHaveProperty("shape");
});

it("leaves the host's loop to others meanwhile", async () => {
  let judged = false;
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (!judged) setImmediate(turn);
  };
  setImmediate(turn);
  await judging.judge("ls; ".repeat(2_000), context).finally(() => {
    judged = true;
  });
  expect(turns).toBeGreaterThan(5);
});

it("keeps no process alive that has nothing else to do", async () => {
  const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === "MessagePort").length;
  const before = ports();
  await createJudging().judge("ls", context);
  expect(ports()).toBe(before);
});

it.each([
  ["ends", "process.exit(1)"],
  ["throws", "throw new Error('no')"],
  ["never answers", "for (;;);"],
])("asks when the thread %s, and every time again", async (_, program) => {
  const broken = createJudging(1, new URL(`data:text/javascript,${program}`));
  for (const command of ["ls", "pwd"])
    expect(await broken.judge(command, context)).toMatchObject({ verdict: "ask" });
  expect(await broken.judgeForCard("ls", context)).toMatchObject({ verdict: { verdict: "ask" }, shape: "" });
  expect(await broken.shape("ls", context)).toBe("");
  expect(await broken.propose("make", context)).toHaveProperty("reason");
  await expect(broken.preview(makeRule("make"), [], context)).rejects.toMatchObject({ code: "unavailable" });
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

it("keeps nothing of the run that asked it first", async () => {
  const runs = new AsyncLocalStorage<object>();
  const own = createJudging();
  async function askInRun(): Promise<WeakRef<object>> {
    const knows = { messages: new Array(1_000) };
    await runs.run(knows, () => own.judge("ls", context));
    return new WeakRef(knows);
  }
  const known = await askInRun();
  for (let look = 0; look < 20 && known.deref() !== undefined; look += 1) {
    await turnOfLoop();
    collect();
  }
  expect(known.deref()).toBeUndefined();
});
