/** Starts an MCP server once and shows the tools it offers, or why it does not work. */

import { useState } from "react";
import type { McpServer } from "../../../shared/contract/agents.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ToolList } from "./server-state.tsx";
import { strings } from "./strings.ts";

type Tested = Pick<Output<"mcp.test">, "tools" | "problem">;
const words = strings.server;

export function useServerTest(): {
  busy: boolean;
  result?: Tested;
  run: (server: McpServer) => Promise<void>;
} {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Tested>();
  return {
    busy,
    result,
    async run(server) {
      setBusy(true);
      setResult(undefined);
      try {
        setResult(await client().call("mcp.test", server));
      } catch (error) {
        setResult({ tools: [], problem: describeError(error) });
      } finally {
        setBusy(false);
      }
    },
  };
}

type ServerTestResultProps = {
  /** The server whose tools are listed too; absent where they stand elsewhere. */
  name?: string;
  busy: boolean;
  result?: Tested;
};

export function ServerTestResult({ name, busy, result }: ServerTestResultProps) {
  return (
    <div role="status" className="text-sm empty:-mt-2">
      {busy && <p className="text-ink-2">{words.testing}</p>}
      {result?.problem && (
        <p className="text-bad [overflow-wrap:anywhere]">
          {words.problem} <ForeignText text={result.problem} lines />
        </p>
      )}
      {result && !result.problem && (
        <>
          <p className="text-ok">{words.works(result.tools.length)}</p>
          {name !== undefined && result.tools.length > 0 && <ToolList name={name} tools={result.tools} />}
        </>
      )}
    </div>
  );
}
