/** The MCP servers a person configured: one file, in the form other tools use, secrets kept from everyone but its owner. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type McpServer, mcpServerSchema } from "../../shared/contract/agents.ts";
import type { FileProblem } from "../../shared/contract/field-problem.ts";
import { createEntryFile } from "./entry-file.ts";
import { AgentFileError } from "./file-problem.ts";

export type McpStore = {
  /** Every usable server by name; what is wrong with the others stands in the problems. Holds secrets. */
  list(): { servers: McpServer[]; problems: FileProblem[] };
  /** Those of the deepagents CLI that are not set up here; nothing where it has no file of them. Holds secrets. */
  others(): { servers: McpServer[]; problems: FileProblem[] } | undefined;
  /** The server with stored secrets in place of the marks that stand for them. @throws AgentFileError when there is none. */
  fillIn(server: McpServer): McpServer;
  /** @returns the server as stored, with its secrets. @throws AgentFileError; a file that cannot be read is never replaced. */
  save(server: McpServer): McpServer;
  remove(name: string): void;
};

/** Stands for a secret value wherever the value itself must not go. */
const hiddenValue = "•••";

/** The server without the values of its environment or headers, for the page. */
export function redact(server: McpServer): McpServer {
  const hide = (values: Record<string, string>) =>
    Object.fromEntries(Object.keys(values).map((name) => [name, hiddenValue]));
  return server.transport === "stdio"
    ? { ...server, env: hide(server.env) }
    : { ...server, headers: hide(server.headers) };
}

/** More than anybody writes by hand. */
const mostOtherBytes = 1_000_000;

/**
 * The servers of `mcp.json` in the data directory.
 * @param otherFile where the deepagents CLI keeps its own: they can be taken over, and that file is never written
 */
export function createMcpStore(dataDir: string, otherFile: string): McpStore {
  const parse = (name: string, entry: Record<string, unknown>) =>
    mcpServerSchema.safeParse(toServer(name, entry));
  const raw = z.record(z.string(), z.unknown());
  const file = createEntryFile(join(dataDir, "mcp.json"), "mcpServers", raw, parse);
  const other = createEntryFile(otherFile, "mcpServers", raw, (name, entry) =>
    parseOther(toServer(ownName(name), entry)),
  );

  function list() {
    const { entries, problems } = file.list();
    return { servers: entries.sort((a, b) => a.name.localeCompare(b.name)), problems };
  }

  function others() {
    const stat = statSync(otherFile, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > mostOtherBytes) return undefined;
    const isHere = new Set(list().servers.map(({ name }) => name));
    const { entries, problems } = other.list();
    return { servers: entries.filter(({ name }) => !isHere.has(name)), problems };
  }

  function fillIn(server: McpServer): McpServer {
    const known = [...list().servers, ...(others()?.servers ?? [])];
    const stored = known.find((one) => one.name === server.name);
    if (server.transport === "stdio") {
      const values = stored?.transport === "stdio" ? stored.env : {};
      const missing = missingSecret(server.env, values);
      if (missing) throw new AgentFileError(`env.${missing}`, "has no stored value. Enter it.");
      return { ...server, env: withSecrets(server.env, values) };
    }
    // A secret goes only to the place it was given for.
    const samePlace =
      stored?.transport === "http" && new URL(stored.url).origin === new URL(server.url).origin;
    const values = samePlace ? stored.headers : {};
    const missing = missingSecret(server.headers, values);
    if (missing)
      throw new AgentFileError(
        `headers.${missing}`,
        "has no stored value for this address. Enter it again if the address changed.",
      );
    return { ...server, headers: withSecrets(server.headers, values) };
  }

  return {
    list,
    others,
    fillIn,
    save(server) {
      const whole = fillIn(mcpServerSchema.parse(server));
      const { name, ...entry } = whole;
      file.save(name, entry);
      return whole;
    },
    remove: (name) => file.remove(name),
  };
}

/** Entries copied from a server's instructions name no transport, or name it `type`. */
function toServer(name: string, { type: _type, ...entry }: Record<string, unknown>): Record<string, unknown> {
  return { transport: "url" in entry ? "http" : "stdio", ...entry, name };
}

const otherSchema = mcpServerSchema.refine(
  (server) => !JSON.stringify(server).includes("${"),
  "names a variable of the environment, which is not read here. Add this server by hand",
);

/** Of a field that only that program knows nobody is told to take it out there. */
function parseOther(server: Record<string, unknown>): z.ZodSafeParseResult<McpServer> {
  const parsed = otherSchema.safeParse(server);
  if (parsed.success) return parsed;
  const issues = parsed.error.issues.flatMap((issue): z.core.$ZodIssue[] =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => toIssue([...issue.path, key])) : [issue],
  );
  return { success: false, error: new z.ZodError(issues) as z.ZodError<McpServer> };
}

const toIssue = (path: PropertyKey[]): z.core.$ZodIssue => ({
  code: "custom",
  path,
  message: "is not known here. Add this server by hand",
});

/** Other programs take any name. */
const ownName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 41);

function missingSecret(given: Record<string, string>, known: Record<string, string>): string | undefined {
  return Object.keys(given).find((name) => given[name] === hiddenValue && known[name] === undefined);
}

function withSecrets(given: Record<string, string>, known: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value === hiddenValue ? (known[name] ?? value) : value,
    ]),
  );
}
