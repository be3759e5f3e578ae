/** What a browser alone can do to the page: hang while keys wait, and show only a part of a page that was zoomed in with fingers. */
import { expect, test } from "./app-fixture/app.ts";
import {
  cardFor,
  glimpseMs,
  newThread,
  openCard,
  openView,
  pressUntil,
  send,
} from "./app-fixture/console-steps.ts";

test.skip(
  ({ door }) => door === "electron",
  "The page is the same, and the desktop's window zooms by menu alone.",
);

const named = (number: number) => `echo ${number} >> ran-${number}.txt`;

test("a key from before a card was painted decides nothing, and what is off the screen is not read", async ({
  app,
}) => {
  const { page } = app;
  const unlocked = (subject: string) =>
    expect(cardFor(app, subject).getByRole("button", { name: "Approve", exact: true })).not.toHaveAttribute(
      "data-locked",
    );
  const long = Array.from({ length: 12 }, (_, at) => `echo part ${at} >> long.txt`).join(" && ");
  await newThread(app);
  await send(
    app,
    [1, 2]
      .map((number) => `run ${named(number)}`)
      .join("\n")
      .concat(`\nrun ${long}`),
  );
  await openView(app, "Approvals");
  // Both were read, so that nothing but the guard stands between a key and the second.
  for (const number of [2, 1]) {
    await openCard(app, named(number));
    await unlocked(named(number));
  }

  await test.step("a key that waits while the page hangs", async () => {
    await page.evaluate(() =>
      addEventListener("keydown", ({ key }) => {
        // Behind the page's own listeners, so that the next key waits until it has answered this one and painted nothing.
        const until = performance.now() + 1_500;
        while (key === "j" && performance.now() < until);
      }),
    );
    await Promise.all([page.keyboard.press("j"), page.keyboard.press("y")]);
    await expect(cardFor(app, named(2))).toContainText("It came up just now.");
    await expect(cardFor(app, named(2))).toBeVisible();
  });

  await test.step("a page that was zoomed in with fingers", async () => {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setPageScaleFactor", { pageScaleFactor: 4 });
    await page.keyboard.press("j");
    await pressUntil(app, "y", () =>
      expect(cardFor(app, "echo part 0").getByRole("status")).toContainText(/in view|to its end/, {
        timeout: glimpseMs,
      }),
    );
    await session.send("Emulation.setPageScaleFactor", { pageScaleFactor: 1 });
    await unlocked("echo part 0");
  });
});
