/** A command that waits is rehearsed by its key, its card shows what it would do, and the yes is for just that. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { missing } from "../src/main/rehearsal/testing/real-overlay.ts";
import { expect, test } from "./app-fixture/app.ts";
import { agentSaid, approvePatiently, cardFor, newThread, send } from "./app-fixture/console-steps.ts";

test.skip(missing !== undefined, `Commands cannot be rehearsed here: ${missing}`);

test("a rehearsed command changes nothing until the yes, which puts exactly what was shown into the folder", async ({
  app,
}) => {
  await app.stop();
  await writeFile(join(app.dataDir, "settings.json"), JSON.stringify({ sandbox: "auto" }));
  await writeFile(join(app.workspace, "notes.md"), "one\n");
  await app.start();
  await newThread(app);
  // What ran twice would have printed and written two things.
  const command = "x=$RANDOM$RANDOM$RANDOM; echo $x > made.md; echo two >> notes.md; echo rehearsed-$x";
  await send(app, `run ${command}`);
  const card = cardFor(app, "x=$RANDOM");
  const rehearse = card.getByRole("button", { name: /^Rehearse/ });
  await expect(rehearse).toBeVisible();
  await rehearse.click();
  await expect(card.getByText(/^Rehearsed: it ended with exit code 0/)).toBeVisible();
  await expect(card.getByText("It would change 2 places:")).toBeVisible();
  const said = /rehearsed-(\d+)/.exec(await card.innerText())![1]!;
  expect([await app.read("made.md"), await app.read("notes.md")]).toEqual([undefined, "one\n"]);
  await app.expectAccessible();
  await approvePatiently(app, "x=$RANDOM");
  await expect(agentSaid(app, "1 of 1 step")).toBeVisible();
  expect([await app.read("made.md"), await app.read("notes.md")]).toEqual([`${said}\n`, "one\ntwo\n"]);
});
