/** What was last known of an MCP server: whether it is connected, what went wrong with it, the tools it offers, and what the person says of each. */
import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { McpState } from "../../../shared/contract/agents.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Select } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { showProblem } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

const words = strings.server;

type ServerStateLineProps = {
  state: McpState;
  /** The problem stands above already, as the outcome of a test. */
  problemShown: boolean;
};

export function ServerStateLine({ state, problemShown }: ServerStateLineProps) {
  const { server, tools, problem } = state;
  const [open, setOpen] = useState(false);
  const list = useId();
  const [tone, word] = describeState(state);
  return (
    <div className="flex flex-col gap-1 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{word}</Badge>
        {tools.length > 0 && (
          <button
            type="button"
            aria-expanded={open}
            aria-controls={open ? list : undefined}
            onClick={() => setOpen(!open)}
            className="flex items-center gap-1 rounded-sm text-ink-2 hover:text-ink [&_svg]:size-3.5"
          >
            {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
            {words.toolCount(tools.length)}
          </button>
        )}
      </div>
      {problem && server.enabled && !problemShown && (
        <p className="text-bad">
          <ForeignText text={problem} lines />
        </p>
      )}
      {open && <ToolList id={list} name={server.name} tools={tools} />}
    </div>
  );
}

function describeState({ server, connected, problem }: McpState): [Tone, string] {
  if (!server.enabled) return ["neutral", words.off];
  if (problem) return ["bad", words.trouble];
  return connected ? ["ok", words.connected] : ["neutral", words.idle];
}

export function ToolList({ id, name, tools }: { id?: string; name: string; tools: McpState["tools"] }) {
  return (
    <ul id={id} aria-label={words.tools(spellOut(name))} className="pl-2">
      {tools.map((tool) => (
        <li key={tool.name} className="py-0.5 [overflow-wrap:anywhere]">
          <code className="code-text font-medium">
            <ForeignText text={tool.name} />
          </code>{" "}
          <span className="text-ink-2">
            {tool.description && <ForeignText text={tool.description} lines />}
          </span>
          {tool.digest !== undefined && <ToolClassChoice tool={tool} digest={tool.digest} />}
        </li>
      ))}
    </ul>
  );
}

type Choice = keyof typeof words.toolClasses;

/** Says of one tool of a server whether it only reads; the server's own word is a proposal and nothing more. */
function ToolClassChoice({ tool, digest }: { tool: McpState["tools"][number]; digest: string }) {
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
