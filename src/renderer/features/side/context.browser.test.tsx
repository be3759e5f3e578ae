/** What a folder tells its agent, as the side panel shows it, in a real browser over a scripted host. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import type { Output } from "../../../shared/contract/contract.ts";
import { useSide } from "../../base/stores/side-store.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleThread } from "../../testing/samples.ts";
import { setOpen } from "../conversation/transcript/open-state.ts";

const paths = { files: ["AGENTS.md"], sizes: [2_140], skills: [".agents/skills/release"] };
const context = page.getByRole("region", { name: "Instructions and skills" });

async function openSection(answer: () => Output<"agents.context">) {
  setOpen("side:context", false);
  useSide.setState({ chosen: true, asked: false, terminalId: undefined }, true);
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done" })], approvals: [] },
    { "agents.context": answer },
    "#/thread/t1",
  );
  await expect.element(context).toBeVisible();
  return host;
}

it("says in its heading that the folder is not trusted, and what is not read for that reason", async () => {
  await openSection(() => ({ workspace: "/w", trusted: false, ...paths }));
  const heading = context.getByRole("button", { name: /folder not trusted/ });
  await heading.click();
  await expect.element(context).toHaveTextContent("the agent reads none of these");
  await expect
    .element(context.getByRole("list", { name: "Instructions" }))
    .toHaveTextContent("AGENTS.md · 2.1 kB");
  await context.getByRole("button", { name: "Trusted folders…" }).click();
  await expect.element(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
});

it("lists what the agent of a trusted folder reads, and looks again when the person comes back", async () => {
  let answer: Output<"agents.context"> = { workspace: "/w", trusted: true, ...paths };
  await openSection(() => answer);
  await context.getByRole("button", { name: /^Instructions and skills ?2$/ }).click();
  const skills = context.getByRole("list", { name: "Skills" });
  await expect.element(skills).toHaveTextContent(".agents/skills/release");
  answer = { ...answer, skills: [], files: [], sizes: [] };
  window.dispatchEvent(new Event("focus"));
  await expect.element(context).toHaveTextContent("no AGENTS.md, no CLAUDE.md and no skills");
});

it("lists one's own instructions, and says whether agents are told them", async () => {
  const own = { files: [".agents/AGENTS.md"], sizes: [120], trusted: false, changed: [] as string[] };
  let answer: Output<"agents.context"> = { workspace: "/w", trusted: true, ...paths, own };
  await openSection(() => answer);
  await context.getByRole("button", { name: /^Instructions and skills/ }).click();
  await expect
    .element(context.getByRole("list", { name: "Your own instructions" }))
    .toHaveTextContent("~/.agents/AGENTS.md · 120 bytes");
  await expect.element(context).toHaveTextContent("no agent is told them");
  answer = { ...answer, own: { ...own, trusted: true } };
  window.dispatchEvent(new Event("focus"));
  await expect.element(context).toHaveTextContent("told your own as well");
  answer = { ...answer, own: { ...own, trusted: true, changed: own.files } };
  window.dispatchEvent(new Event("focus"));
  await expect.element(context).toHaveTextContent("Your own changed since you trusted them");
});
