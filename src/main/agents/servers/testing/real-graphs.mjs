/** Small graphs for a real server: stock agents that ask before a command, and nodes that ask by themselves; the model is a script. */
import { appendFileSync } from "node:fs";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Annotation, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { z } from "zod";

const log = (line) => appendFileSync(process.env.EFFECTS, `${line}\n`);
let calls = 0;

/** Obeys the last message of a person: `run a;b` runs both in one turn, `slow a` takes a while, `delegates a;b` hands each on, `TOOL {…}` calls it, and `knows WORD` says whether it was told it. */
class ScriptModel extends BaseChatModel {
  constructor() {
    super({});
  }

  _llmType() {
    return "script";
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const last = messages.at(-1);
    const text = typeof last.content === "string" ? last.content : JSON.stringify(last.content);
    const [verb, ...rest] = last.getType() === "human" ? text.split(" ") : [""];
    const parts = rest.join(" ").split(";");
    const call = (name, args) => ({ name, args, id: `call_${++calls}`, type: "tool_call" });
    const wanted = { run: 0, slow: 3_000 };
    const toolCalls =
      verb in wanted
        ? parts.map((command) => call("execute_it", { command, slowMs: wanted[verb] }))
        : verb === "delegates"
          ? parts.map((description) => call("task", { description, subagent_type: "general-purpose" }))
          : rest[0]?.startsWith("{")
            ? [call(verb, JSON.parse(rest.join(" ")))]
            : [];
    const told = JSON.stringify(
      messages.filter((one) => one.getType() === "system").map(({ content }) => content),
    );
    const answer = verb === "knows" ? `knows ${told.includes(rest[0])}` : `said ${text.slice(0, 50)}`;
    const message = new AIMessage({
      content: toolCalls.length ? "" : answer,
      tool_calls: toolCalls,
    });
    return { generations: [{ text: String(message.content), message }] };
  }
}

/** What an exported agent thinks with. */
export const model = new ScriptModel();

const execute = tool(
  async ({ command, slowMs = 0 }) => {
    log(`start ${command}`);
    await new Promise((done) => setTimeout(done, slowMs));
    log(`end ${command}`);
    return `ran ${command}`;
  },
  {
    name: "execute_it",
    description: "Runs a command",
    schema: z.object({ command: z.string(), slowMs: z.number().optional() }),
  },
);
const gated = {
  execute_it: { allowedDecisions: ["approve", "edit", "reject"], description: "Please review" },
};

export const agent = createAgent({
  model: new ScriptModel(),
  tools: [execute],
  middleware: [humanInTheLoopMiddleware({ interruptOn: gated })],
});
export const deep = createDeepAgent({ model: new ScriptModel(), tools: [execute], interruptOn: gated });

const State = Annotation.Root({
  answers: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** Two nodes side by side, one of which asks twice under one id. */
export const ask = new StateGraph(State)
  .addNode("left", () => {
    const answers = [interrupt("left first?"), interrupt("left second?")];
    log(`left ${answers.join(" ")}`);
    return { answers };
  })
  .addNode("right", () => {
    const answers = [interrupt("right?")];
    log(`right ${answers.join(" ")}`);
    return { answers };
  })
  .addEdge(START, "left")
  .addEdge(START, "right")
  .addEdge("left", END)
  .addEdge("right", END)
  .compile();
