/** Stands for the servers of models: whatever format an agent speaks, it obeys the script in the person's message. */
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from "@copilotkit/aimock";

/** What the model says or calls, one after the other; calls in one step are made at once. */
export type Step = string | { tool: string; args: Record<string, unknown> }[];

const begin = "SCRIPT";
let calls = 0;
const beside = { next_speaker: "user", model_choice: "flash", reasoning: "It is a test." };

/** A message that makes the model take these steps. */
export function script(...steps: Step[]): string {
  return `${begin}${JSON.stringify(steps)}`;
}

/**
 * Keeps no state: which step is next is counted in the conversation that the agent sends.
 * @param onCall hears of each call as it is answered with
 */
export function createScriptedModel(onCall?: (args: Record<string, unknown>) => void): LLMock {
  const model = new LLMock({ port: 0, host: "127.0.0.1" });
  const response = (request: ChatCompletionRequest) => answer(request, onCall);
  model.addFixture({ match: { predicate: () => true }, response });
  return model;
}

function answer(
  { messages, tools }: ChatCompletionRequest,
  onCall?: (args: Record<string, unknown>) => void,
): FixtureResponse {
  const texts = messages.map(({ role, content }) => (role === "user" ? textOf(content) : ""));
  const at = texts.findLastIndex((text) => text.includes(begin));
  // What an agent asks beside the conversation, a title for it or which model to take, offers no tools.
  if (at < 0 || !tools || tools.length === 0) return { content: JSON.stringify(beside) };
  const taken = messages.slice(at + 1).filter((message) => (message.tool_calls?.length ?? 0) > 0).length;
  const step = stepsIn(texts[at]!)[taken];
  if (step === undefined) return { content: `Done after ${taken} steps.` };
  if (typeof step === "string") return { content: step };
  const toolCalls = step.map(({ tool, args }) => {
    calls += 1;
    onCall?.(args);
    return { id: `call_${Date.now().toString(36)}${calls}`, name: tool, arguments: JSON.stringify(args) };
  });
  return { toolCalls };
}

function stepsIn(text: string): Step[] {
  const [, json = "[]"] = new RegExp(`${begin}(\\[.*\\])`, "s").exec(text) ?? [];
  return JSON.parse(json) as Step[];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: string }) => part.text ?? "").join("\n");
}
