import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type McpServer, mcpServerSchema } from "../../shared/contract/agents.ts";
import { createMcpStore, type McpStore, redact } from "./mcp-store.ts";

let dataDir: string;
let store: McpStore;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "countersign-mcp-"));
  store = createMcpStore(dataDir, otherFile());
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const otherFile = () => join(dataDir, "other.json");
const file = () => join(dataDir, "mcp.json");
const program = (fields: Record<string, unknown> = {}): McpServer =>
  mcpServerSchema.parse({ transport: "stdio", name: "files", command: "files-server", ...fields });
const address = (fields: Record<string, unknown> = {}): McpServer =>
  mcpServerSchema.parse({ transport: "http", name: "remote", url: "https://mcp.example/v1", ...fields });
const put = (content: unknown) => writeFileSync(file(), JSON.stringify(content));

describe("MCP servers in a file", () => {
  it("keeps servers over a restart, readable by their owner only", () => {
    store.save(program({ env: { KEY: "k" } }));
    store.save(address());
    expect(createMcpStore(dataDir, otherFile()).list()).toEqual({
      servers: [program({ env: { KEY: "k" } }), address()],
      problems: [],
    });
    if (process.platform !== "win32") expect(statSync(file()).mode & 0o777).toBe(0o600);
    store.remove("files");
    expect(store.list().servers).toEqual([address()]);
  });

  it("takes entries the way a server's instructions print them", () => {
    put({
      mcpServers: {
        files: { command: "npx", args: ["-y", "server"] },
        remote: { type: "http", url: "https://mcp.example/v1" },
      },
    });
    expect(store.list().servers).toEqual([program({ command: "npx", args: ["-y", "server"] }), address()]);
  });

  it("names the field of an entry that is wrong, uses the others, and never throws the wrong one away", () => {
    put({ mcpServers: { bad: { command: 7 }, good: { command: "x" }, "Bad Name": { command: "x" } } });
    const { servers, problems } = store.list();
    expect(servers.map(({ name }) => name)).toEqual(["good"]);
    expect(problems.map(({ field }) => field)).toEqual([
      "mcpServers.bad.command",
      "mcpServers.Bad Name.name",
    ]);
    store.save(program());
    expect(JSON.parse(readFileSync(file(), "utf8")).mcpServers.bad).toEqual({ command: 7 });
  });

  it("reads comments, names the line of what is wrong, and keeps the comments when it saves", () => {
    const commented = `{
  // Shared by all projects.
  "mcpServers": {
    "bad": {
      "command": 7, // to be mended
    },
  },
}
`;
    writeFileSync(file(), commented);
    expect(store.list().problems).toMatchObject([{ line: 5, field: "mcpServers.bad.command" }]);
    store.save(program());
    expect(store.list().servers).toEqual([program()]);
    store.remove("files");
    expect(readFileSync(file(), "utf8")).toBe(commented);
  });

  it("does not write over a file it cannot read", () => {
    writeFileSync(file(), "{ oops");
    expect(store.list()).toEqual({
      servers: [],
      problems: [
        { file: file(), line: 1, field: "", message: expect.stringContaining("cannot be read as JSON") },
      ],
    });
    expect(() => store.save(program())).toThrow(/mcp\.json line 1: .*Mend or remove/);
    expect(readFileSync(file(), "utf8")).toBe("{ oops");
  });
});

describe("the secrets of a server", () => {
  it("are shown as marks, and come back from them", () => {
    store.save(program({ env: { KEY: "secret", REGION: "eu" } }));
    const shown = redact(store.list().servers[0]!);
    expect(JSON.stringify(shown)).not.toMatch(/secret|eu/);
    const edited = { ...shown, command: "other", env: { KEY: "•••", REGION: "us" } } as McpServer;
    expect(store.save(edited)).toEqual(program({ command: "other", env: { KEY: "secret", REGION: "us" } }));
    expect(redact(store.list().servers[0]!)).toMatchObject({ env: { KEY: "•••", REGION: "•••" } });
  });

  it("are filled in for a test without being saved", () => {
    store.save(address({ headers: { Authorization: "Bearer secret" } }));
    const changed = {
      ...redact(address({ headers: { Authorization: "x" } })),
      url: "https://mcp.example/v2",
    };
    expect(store.fillIn(changed as McpServer)).toMatchObject({ headers: { Authorization: "Bearer secret" } });
    expect(store.list().servers[0]).toMatchObject({ url: "https://mcp.example/v1" });
  });

  it("are not sent to another address than the one they were given for", () => {
    store.save(address({ headers: { Authorization: "Bearer secret" } }));
    const moved = address({ url: "https://elsewhere.example/v1", headers: { Authorization: "•••" } });
    expect(() => store.fillIn(moved)).toThrow(/^headers\.Authorization: .*Enter it again/);
    expect(() => store.save(moved)).toThrow(/Authorization/);
    expect(store.list().servers[0]).toMatchObject({ url: "https://mcp.example/v1" });
  });

  it("must be entered when none is stored", () => {
    expect(() => store.save(program({ env: { KEY: "•••" } }))).toThrow(/^env\.KEY: has no stored value/);
  });
});

describe("servers of the deepagents CLI", () => {
  const putOthers = (mcpServers: object) => writeFileSync(otherFile(), JSON.stringify({ mcpServers }));

  it("are those that are not set up here, under names that can be, and their file is never written", () => {
    expect(store.others()).toBeUndefined();
    store.save(program());
    putOthers({
      files: { command: "elsewhere" },
      "Docs LangChain": { type: "http", url: "https://docs.example/mcp" },
      git_hub: { command: "npx", args: ["-y", "hub"], env: { TOKEN: "t" } },
      named: { command: "npx", env: { TOKEN: ["$", "{HUB_TOKEN}"].join("") } },
      odd: { command: 7 },
      python: { command: "uvx", args: ["mcp-server-fetch"], allowedTools: ["fetch"] },
    });
    const before = readFileSync(otherFile(), "utf8");
    const { servers, problems } = store.others()!;
    expect(servers).toEqual([
      address({ name: "docs-langchain", url: "https://docs.example/mcp" }),
      program({ name: "git-hub", command: "npx", args: ["-y", "hub"], env: { TOKEN: "t" } }),
    ]);
    expect(problems.map(({ field, message }) => [field, message])).toEqual([
      ["mcpServers.named", expect.stringContaining("names a variable of the environment")],
      ["mcpServers.odd.command", expect.any(String)],
      ["mcpServers.python.allowedTools", expect.stringContaining("Add this server by hand")],
    ]);
    // Its values come from there, and only for what it is there.
    expect(store.save(redact(servers[1]!))).toEqual(servers[1]);
    expect(store.others()?.servers.map(({ name }) => name)).toEqual(["docs-langchain"]);
    expect(readFileSync(otherFile(), "utf8")).toBe(before);
  });

  it("bring no value to another address, and none from a file that is none", () => {
    putOthers({ remote: { url: "https://mcp.example/v1", headers: { "x-key": "k" } } });
    const [server] = store.others()!.servers;
    const elsewhere = { ...redact(server!), url: "https://other.example/v1" } as McpServer;
    expect(() => store.save(elsewhere)).toThrow("has no stored value for this address");
    rmSync(otherFile());
    mkdirSync(otherFile());
    expect(store.others()).toBeUndefined();
  });
});
