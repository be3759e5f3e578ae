/** Characters that mislead the eye are pointed out on cards, and what is copied is the true text. */
import { describe, expect, it } from "vitest";
import { fileCard, openCards, region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";

/** What a person gets who selects all of an element and copies it. */
function copied(element: Element): string {
  getSelection()?.selectAllChildren(element);
  return getSelection()?.toString() ?? "";
}

describe("misleading characters", () => {
  it("in a diff are pointed out in the marked words, and what is copied is the true text", async () => {
    const before = 'if (user === "admin") {\n';
    const after = 'if (user === "\u0430dmin\u202E\u2066") {\n';
    openCards([fileCard()], { path: "a.ts", before, after, tooLarge: false });
    const diff = region.getByRole("figure", { name: "Diff of a.ts" });
    await expect
      .element(diff.getByRole("img", { name: "U+0430 looks like a Latin letter: \u0430" }))
      .toBeVisible();
    await expect.element(diff.getByRole("img", { name: "U+202E right-to-left override" })).toBeVisible();
    expect(diff.getByRole("img").elements()).toHaveLength(3);
    expect(copied(diff.element())).toContain(after.trimEnd());
    expect(copied(diff.element())).not.toContain("U+");
  });

  it("in a diff do not turn the text after them", async () => {
    openCards([fileCard()], { path: "a.ts", before: null, after: "x\u202Eabc\n", tooLarge: false });
    const label = region.getByRole("img", { name: /U\+202E/ });
    await expect.element(label).toBeVisible();
    const rest = document.createRange();
    rest.selectNodeContents(label.element().nextSibling as Node);
    const [first, last] = [document.createRange(), document.createRange()];
    first.setStart(rest.startContainer, 0);
    first.setEnd(rest.startContainer, 1);
    last.setStart(rest.startContainer, 2);
    last.setEnd(rest.startContainer, 3);
    expect(first.getBoundingClientRect().left).toBeLessThan(last.getBoundingClientRect().left);
  });

  it("are not seen in a file that ends its lines in CR LF, and are where only one line does", async () => {
    openCards([fileCard()], { path: "a.ts", before: "a\r\n", after: "a\r\nb\r\n", tooLarge: false });
    await expect.element(region.getByRole("figure")).toHaveTextContent("+b");
    expect(region.getByRole("img", { name: /U\+/ }).elements()).toHaveLength(0);
  });

  it("in a diff whose line ends change say what would else look like no change", async () => {
    openCards([fileCard()], { path: "a.ts", before: "a\n", after: "a\r\n", tooLarge: false });
    await expect.element(region.getByRole("img", { name: "U+000D carriage return" })).toBeVisible();
  });

  it("in a command and a question are pointed out and copied as they are", async () => {
    openCards([sampleApproval("c", "curl ex\u0430mple.com\u200B")]);
    const command = region.getByRole("article").getByRole("code").first();
    await expect.element(command.getByRole("img", { name: /U\+0430/ })).toBeVisible();
    expect(copied(command.element())).toBe("curl ex\u0430mple.com\u200B");
  });
});
