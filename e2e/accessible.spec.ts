/** Every main view passes axe in both themes, and the screenshot of the README is made of the real console. */
import { expect, test } from "./app-fixture/app.ts";
import { approvals, newThread, send } from "./app-fixture/console-steps.ts";

for (const colorScheme of ["light", "dark"] as const) {
  test(`queue and conversation are accessible in ${colorScheme}`, async ({ app }) => {
    await app.page.emulateMedia({ colorScheme });
    await app.expectAccessible();
    await newThread(app);
    await send(
      app,
      "say ## Plan\\n\\nFirst the **tests**, then the build.\nrun npm test && npm run build\nwrite notes.md # Notes\\nship it\nrun git push --force\nask Which branch should this go to?",
    );
    await expect(approvals(app).getByRole("listitem").first()).toBeVisible();
    await app.expectAccessible();
    if (colorScheme === "light" && process.env.COUNTERSIGN_SCREENSHOT)
      await app.page.screenshot({ path: process.env.COUNTERSIGN_SCREENSHOT });
    await app.page.setViewportSize({ width: 800, height: 700 });
    await app.expectAccessible();
  });
}
