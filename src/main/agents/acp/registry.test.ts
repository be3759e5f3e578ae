/** The registry is read once when asked, from a server that stands in for it, and what it lists starts nothing. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fileOfProgram } from "../../shell/find-program.ts";
import { serveSite } from "../../web/testing/test-site.ts";
import { readRegistry } from "./registry.ts";

const one = {
  id: "codex-acp",
  name: "Codex",
  version: "2.6.0",
  description: "Adapter",
  repository: "https://example.com",
  authors: ["OpenAI", "Others"],
  license: "Apache-2.0",
  icon: "https://cdn.example/x.svg",
  distribution: { npx: { package: "@agentclientprotocol/codex-acp@2.6.0" } },
};
const withNpx = (id: string, npx: object) => ({ ...one, id, name: id, distribution: { npx } });

/** A folder with programs of these names. */
function programs(...names: string[]): string {
  const dir = mkdtempSync(join(tmpdir(), "countersign-registry-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(dir, fileOfProgram(name)), "", { mode: 0o755 });
  return dir;
}

async function readFrom(answer: RequestListener, path: string) {
  const site = await serveSite(answer);
  return readRegistry("1.2.3", path, { url: `${site}/registry.json`, refuses: () => false });
}

const agentsOf = (agents: unknown[]): RequestListener => {
  return (_, response) => void response.end(JSON.stringify({ version: "1.0.0", agents }));
};

it("lists what would run, of an exact version and apart from the folder, with who publishes it", async () => {
  const path = programs("npx", "env");
  const asked: unknown[] = [];
  const agents = [
    one,
    withNpx("wants-env", { package: "some@1.0.0", args: ["acp"], env: { NO_UPDATE: "1" } }),
  ];
  const { entries, leftOut } = await readFrom((request, response) => {
    asked.push([request.method, request.url, request.headers.cookie, request.headers.authorization]);
    agentsOf(agents)(request, response);
  }, path);
  expect(asked).toEqual([["GET", "/registry.json", undefined, undefined]]);
  expect(leftOut).toBe(0);
  const apart = ["--prefix", "/", "--yes"];
  expect(entries).toEqual([
    {
      id: "codex-acp",
      name: "Codex",
      version: "2.6.0",
      license: "Apache-2.0",
      publisher: "OpenAI, Others",
      description: "Adapter",
      agent: {
        id: "codex-acp",
        name: "Codex",
        command: join(path, fileOfProgram("npx")),
        args: [...apart, "@agentclientprotocol/codex-acp@2.6.0"],
      },
    },
    expect.objectContaining({
      id: "wants-env",
      agent: expect.objectContaining({
        command: join(path, fileOfProgram("env")),
        args: ["NO_UPDATE=1", join(path, fileOfProgram("npx")), ...apart, "some@1.0.0", "acp"],
      }),
    }),
  ]);
});

it("offers none that it cannot name exactly, and says why", async () => {
  const path = programs("npx");
  const { entries, leftOut } = await readFrom(
    agentsOf([
      ...["some", "some@latest", "some@^1.0.0", "git+https://example.com/x", "./x", "--eval@1.0.0"].map(
        (name, at) => withNpx(`inexact-${at}`, { package: name }),
      ),
      {
        ...one,
        id: "download",
        distribution: { binary: { "linux-x86_64": { archive: "https://x", cmd: "./x" } } },
      },
      { ...one, id: "python", distribution: { uvx: { package: "some-agent==1.0.0" } } },
      withNpx("variables", { package: "some@1.0.0", env: { "A=1 sh -c": "x" } }),
      withNpx("Upper Case", { package: "some@1.0.0" }),
      withNpx("long", { package: "some@1.0.0", args: Array(101).fill("x") }),
      { ...one, name: undefined },
      "nonsense",
    ]),
    path,
  );
  expect(leftOut).toBe(5);
  expect(entries.every((entry) => entry.agent === undefined)).toBe(true);
  const whyOf = (id: string) => entries.find((entry) => entry.id === id)?.why;
  for (let at = 0; at < 6; at += 1) expect(whyOf(`inexact-${at}`)).toContain("no exact version");
  expect(whyOf("download")).toContain("to download");
  expect(whyOf("python")).toContain("uvx, which is not on this computer");
});

it("says in a sentence why it could not be read, and follows no redirect", async () => {
  const fail = (answer: RequestListener) => expect(readFrom(answer, "")).rejects;
  await fail((_, response) => void response.writeHead(302, { location: "/other" }).end()).toThrow(
    "status 302",
  );
  await fail((_, response) => void response.writeHead(500).end()).toThrow("status 500");
  await fail((_, response) => void response.end("<html>")).toThrow("no registry");
  await fail((_, response) => void response.end('{"agents":{}}')).toThrow("no registry");
  await fail((_, response) => void response.end(`["${"x".repeat(2_000_000)}"]`)).toThrow("more than");
  await fail((_, response) => void response.destroy()).toThrow("could not be fetched");
  // The real one has a public address.
  await expect(readRegistry("1", "", { url: "http://127.0.0.1:1/", refuses: () => true })).rejects.toThrow(
    "Nothing was sent",
  );
});
