/** No address with a name and password in it comes in by any door, since each is kept and shown in the clear. */
import { expect, it } from "vitest";
import { contract } from "./contract.ts";

const thread = { commandId: "00000000-0000-4000-8000-000000000000", workspace: "/w" };
const at = (baseUrl: string) => ({ provider: "openai-compatible", model: "m", baseUrl });
const agent = { id: "a", name: "A", prompt: "" };
const subAgent = { name: "s", description: "d", prompt: "" };
const doors: [keyof typeof contract, (url: string) => object][] = [
  ["models.setKey", (baseUrl) => ({ provider: "openai", baseUrl })],
  ["models.setDefault", (url) => ({ model: at(url) })],
  ["models.test", (url) => ({ model: at(url) })],
  ["threads.create", (url) => ({ ...thread, model: at(url) })],
  ["threads.setModel", (url) => ({ threadId: "t", model: at(url) })],
  ["agents.save", (url) => ({ ...agent, model: at(url) })],
  ["agents.save", (url) => ({ ...agent, subAgents: [{ ...subAgent, model: at(url) }] })],
  ["mcp.save", (url) => ({ transport: "http", name: "m", url })],
  ["settings.update", (url) => ({ webSearch: { provider: "searxng", url } })],
];

it.each(doors)("%s", (door, input) => {
  const wrongWith = (url: string) =>
    JSON.stringify(contract[door].input.safeParse(input(url)).error?.issues ?? []);
  const clean = wrongWith("https://models.example/v1?key@here");
  for (const word of ["ada:secret@", "secret@", ":@"]) {
    const told = wrongWith(`https://${word}models.example/v1`);
    expect(told).toContain("Leave the name and password out");
    expect(clean).toBe("[]");
  }
});
