/** An agent as JSON, checked by the schema of its file while it is written. */
import type { Agent } from "../../../shared/contract/agents.ts";
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { TextArea } from "../../ui/field.tsx";
import { ProblemList } from "../../ui/problem-text.tsx";
import { checkAgent } from "./agent-draft.ts";
import { strings } from "./strings.ts";

type AgentFileProps = {
  text: string;
  agent: Agent;
  onText: (text: string) => void;
  /** Called with the agent whenever the text is a valid one. */
  onAgent: (agent: Agent) => void;
};

export function AgentFile({ text, agent, onText, onAgent }: AgentFileProps) {
  const read = readAgentFile(text, agent);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-2">{strings.fileHint}</p>
      <TextArea
        label={strings.fileLabel}
        hideLabel
        mono
        spellCheck={false}
        readOnly={agent.builtIn}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          const next = readAgentFile(event.target.value, agent);
          if ("agent" in next) onAgent(next.agent);
        }}
        className="[&_textarea]:max-h-none [&_textarea]:min-h-96"
      />
      {"problems" in read ? (
        <ProblemList title={strings.fileBad} problems={read.problems} />
      ) : (
        <p role="status" className="text-sm text-ok">
          {strings.fileGood}
        </p>
      )}
    </div>
  );
}

export function writeAgentFile(agent: Agent): string {
  return JSON.stringify(agent, null, 2);
}

/** @param before the agent as it was opened; its id stays. */
export function readAgentFile(text: string, before: Agent): { agent: Agent } | { problems: FieldProblem[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    return { problems: [{ field: "", message: strings.notJson(reason) }] };
  }
  const check = checkAgent(value);
  if ("agent" in check && check.agent.id !== before.id)
    return { problems: [{ field: "id", message: strings.idChanged }] };
  return check;
}
