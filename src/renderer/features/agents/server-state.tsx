/** What was last known of an MCP server: whether it is connected, what went wrong with it, and the tools it offers. */

import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { McpState } from "../../../shared/contract/agents.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { strings } from "./strings.ts";
import { ToolClassChoice } from "./tool-class-choice.tsx";

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
        <p className="text-bad [overflow-wrap:anywhere]">{problem}</p>
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
    <ul id={id} aria-label={words.tools(name)} className="pl-2">
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
