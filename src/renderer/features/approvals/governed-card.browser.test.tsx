/** A card says of a program of others that it is governed, and what that promises, where it is that. */
import { expect, it } from "vitest";
import { region } from "../../testing/open-cards.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";

it.each([
  ["governed", /^Codex · Governed: .* what it does past these tools is not held/, 1],
  ["confined", /^Codex · Governed and confined: .* Its network is open/, 1],
  ["asking", /^Codex · /, 0],
] as const)(
  "says of a call of our tools by an agent that is %s what that means",
  async (level, said, lines) => {
    const thread = { ...sampleThread("t1", { waiting: 1 }), actsItself: { agent: "Codex", level } };
    openConsole({ threads: [thread], approvals: [sampleApproval("c", "npm test")] }, {});
    await expect.element(region.getByText("npm test", { exact: true }).last()).toBeVisible();
    expect(region.getByText(said).elements()).toHaveLength(lines);
  },
);
