/** Finding what was said: a hit opens its thread at the message, a thread is searched as a whole, and its end is one step away. */
import { type App, expect, test } from "./app-fixture/app.ts";
import { agentSaid, glimpseMs, send, showThreads } from "./app-fixture/console-steps.ts";
import { restartWithLongThread } from "./app-fixture/long-thread.ts";

const turns = 400;
const log = (app: App) => app.page.getByRole("log", { name: "Conversation" });
const answer = (app: App, turn: number) => log(app).getByText(`That was answer number ${turn}.`);
const toLatest = (app: App) => app.page.getByRole("button", { name: "Jump to latest" });

test("a hit of the search opens its thread at the message, and leads back to the live end", async ({
  app,
}) => {
  await restartWithLongThread(app, "Work on the parser", turns);
  await showThreads(app);
  await app.page.getByRole("searchbox", { name: "Search threads" }).fill("answer number 123");
  await app.page
    .getByRole("list", { name: "Threads" })
    .getByRole("button", { name: /answer number 123/ })
    .click();
  await expect(answer(app, 123)).toBeInViewport();
  await expect(answer(app, turns)).toHaveCount(0);
  const found = log(app).locator(":focus");
  await expect(found).toContainText("That was answer number 123.");
  await expect
    .poll(() => found.evaluate((row) => row.getAnimations().map((animation) => animation.id)))
    .toContain("mark");

  // What is above and below comes as the person gets there.
  for (const turn of [108, 140]) await wheelTo(app, turn);

  await toLatest(app).click();
  await expect(answer(app, turns)).toBeInViewport();
  await expect(log(app)).toBeFocused();
  await expect(toLatest(app)).toBeHidden();
});

test("finding in a thread looks through all of it, folded results too, and shows what happens meanwhile", {
  tag: "@long",
}, async ({ app }) => {
  await restartWithLongThread(app, "Work on the parser", turns);
  await showThreads(app);
  await app.page
    .getByRole("button", { name: /Work on the parser/ })
    .first()
    .click();
  await expect(answer(app, turns)).toBeInViewport();
  await app.page.keyboard.press("ControlOrMeta+F");
  const bar = app.page.getByRole("form", { name: "Find in this thread" });
  const field = bar.getByRole("textbox", { name: "Find in this thread" });
  await expect(field).toBeFocused();

  await field.fill("KEPT 20");
  await expect(bar.getByRole("status")).toHaveText("11 of 11");
  await expect(log(app).getByText('secret = "kept 209"')).toBeInViewport();
  await field.press("Enter");
  await expect(bar.getByRole("status")).toHaveText("1 of 11");
  await expect(log(app).getByText('secret = "kept 20"')).toBeInViewport();
  await field.press("Shift+Enter");
  await expect(log(app).getByText('secret = "kept 209"')).toBeInViewport();
  await app.expectAccessible();

  await field.press("Escape");
  await expect(bar).toBeHidden();
  await send(app, "say fresh news");
  await expect(agentSaid(app, "fresh news")).toBeInViewport();
});

/** Turns the wheel towards an answer until it is in view, and back where a slow page let it pass. */
async function wheelTo(app: App, turn: number): Promise<void> {
  const box = await log(app).boundingBox();
  await app.page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200);
  await expect(async () => {
    const drawn = await log(app)
      .getByText(/^That was answer number/)
      .allTextContents();
    const middle = Number(drawn[Math.floor(drawn.length / 2)]?.match(/\d+/)?.[0]);
    await app.page.mouse.wheel(0, middle > turn ? -500 : 500);
    await expect(answer(app, turn)).toBeInViewport({ timeout: glimpseMs });
  }).toPass({ intervals: [20] });
}
