/** Says of one tool of a server whether it only reads; the server's own word is a proposal and nothing more. */
import { useState } from "react";
import type { McpState } from "../../../shared/contract/agents.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { Select } from "../../ui/field.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

const words = strings.server;
type Choice = keyof typeof words.toolClasses;

export function ToolClassChoice({ tool, digest }: { tool: McpState["tools"][number]; digest: string }) {
  const [chosen, setChosen] = useState<Choice>(tool.class ?? "unset");
  async function choose(next: Choice) {
    const before = chosen;
    setChosen(next);
    try {
      const input = { tool: tool.name, digest, class: next === "unset" ? null : next };
      await client().call("mcp.setToolClass", input);
    } catch (error) {
      setChosen(before);
      showProblem(words.toolClassFailed, describeError(error));
    }
  }
  return (
    <div className="flex flex-wrap items-baseline gap-2">
      <Select
        label={words.toolClass(tool.name)}
        value={chosen}
        onChange={(event) => void choose(event.target.value as Choice)}
      >
        {Object.entries(words.toolClasses).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {tool.hint && <span className="text-sm text-ink-3">{words.toolHint[tool.hint]}</span>}
    </div>
  );
}
