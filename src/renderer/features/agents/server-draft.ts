/** An MCP server as its form holds it, both ways of reaching one side by side, and the check before it is used. */
import { type McpServer, mcpServerSchema } from "../../../shared/contract/agents.ts";
import { type FieldProblem, nameProblems } from "../../../shared/contract/field-problem.ts";
import { wordsOf } from "./program-fields.tsx";

export type Pair = { key: number; name: string; value: string };

export type ServerDraft = {
  transport: McpServer["transport"];
  name: string;
  enabled: boolean;
  command: string;
  /** One argument a line. */
  args: string;
  env: readonly Pair[];
  url: string;
  headers: readonly Pair[];
};

const blank: ServerDraft = {
  transport: "stdio",
  name: "",
  enabled: true,
  command: "",
  args: "",
  env: [],
  url: "",
  headers: [],
};

export function startServerDraft(server: McpServer | undefined): ServerDraft {
  if (!server) return blank;
  const { name, enabled } = server;
  return server.transport === "stdio"
    ? {
        ...blank,
        name,
        enabled,
        command: server.command,
        args: server.args.join("\n"),
        env: toPairs(server.env),
      }
    : {
        ...blank,
        name,
        enabled,
        transport: "http",
        url: server.url,
        headers: toPairs(server.headers),
      };
}

export function checkServer(draft: ServerDraft): { server: McpServer } | { problems: FieldProblem[] } {
  const { transport, name, enabled } = draft;
  const parsed = mcpServerSchema.safeParse(
    transport === "stdio"
      ? {
          transport,
          name,
          enabled,
          command: draft.command.trim(),
          args: wordsOf(draft.args),
          env: toRecord(draft.env),
        }
      : { transport, name, enabled, url: draft.url.trim(), headers: toRecord(draft.headers) },
  );
  return parsed.success ? { server: parsed.data } : { problems: nameProblems(parsed.error) };
}

function toPairs(record: Record<string, string>): Pair[] {
  return Object.entries(record).map(([name, value], key) => ({ key, name, value }));
}

function toRecord(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== "").map(({ name, value }) => [name.trim(), value]),
  );
}
