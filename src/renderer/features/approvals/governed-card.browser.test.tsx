/** A card says of a program of others that it is governed, and what that promises, where it is that. */
import { expect, it } from "vitest";
import { region } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

it.each([
  ["governed", /^Codex · Governed: .* what it does past these tools is not held/, 1, {}],
  ["confined", /^Codex · Governed and confined: .* Its network is open/, 1, {}],
  ["asking", /^Codex · /, 0, {}],
  [
    "governed",
    /^Codex · Governed: .* Version 2\.7\.0\. That its own tools are gone was tried with another version only\. Its own mode: “read-only”\.$/,
    1,
    { version: "2.7.0", mode: "read-only", untried: true },
  ],
] as const)(
  "says of a call of our tools by an agent that is %s what that means",
  async (level, said, lines, more) => {
    const thread = { ...sampleThread("t1", { waiting: 1 }), actsItself: { agent: "Codex", level, ...more } };
    openConsole({ threads: [thread], approvals: [sampleApproval("c", "npm test")] }, {});
    await expect.element(region.getByText("npm test", { exact: true }).last()).toBeVisible();
    expect(region.getByText(said).elements()).toHaveLength(lines);
  },
);
