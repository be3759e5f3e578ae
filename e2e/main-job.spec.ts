/** The main job, end to end: a task, real effects, and a decision for each risky call. */
import { expect, test } from "./app-fixture/app.ts";
import {
  approvePatiently,
  cardFor,
  expectRequests,
  newThread,
  pageTo,
  send,
} from "./app-fixture/console-steps.ts";

test("an agent writes, edits, reads and runs for real, each risky call after its approval", async ({
  app,
}) => {
  await newThread(app);
  await send(app, "write notes.md hello\nrun echo ran >> ran.txt");
  await expectRequests(app, 2);
  await pageTo(app, "echo ran >> ran.txt");
  expect(await app.read("ran.txt")).toBeUndefined();
  await (await pageTo(app, "write notes.md")).getByRole("button", { name: "Approve" }).click();
  await approvePatiently(app, "echo ran");
  await expect.poll(() => app.read("notes.md")).toBe("hello");
  await expect.poll(() => app.runs("ran.txt")).toBe(1);
  await send(app, "edit notes.md hello => goodbye\n\nread notes.md");
  await cardFor(app, "edit notes.md").getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => app.read("notes.md")).toBe("goodbye");
  await expect(
    app.page.getByRole("article", { name: "Agent" }).filter({ hasText: "2 of 2 steps worked" }),
  ).toHaveCount(2);
});
