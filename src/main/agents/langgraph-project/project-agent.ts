/** The program of an exported agent, as it stands in the project's `agent.mjs`: it builds what `agent.json` says. */

/** Reads no file but its own, and asks about every change of a file unless the agent's rules say otherwise. */
export const projectAgent = `/** An agent exported from Countersign. What it is stands in agent.json; this builds it for a LangGraph server. */
import { readFileSync } from "node:fs";
import { ToolMessage } from "@langchain/core/messages";
import { createDeepAgent } from "deepagents";
import { createMiddleware } from "langchain";

const agent = JSON.parse(readFileSync(new URL("./agent.json", import.meta.url), "utf8"));
/** MODEL is "provider:model"; MODEL_MODULE is a file of your own that exports \`model\`. */
const { MODEL, MODEL_MODULE } = process.env;
const model = MODEL_MODULE ? (await import(new URL(MODEL_MODULE, import.meta.url).href)).model : MODEL;
if (!model) throw new Error("Set MODEL in .env, such as MODEL=anthropic:claude-sonnet-4-5");

const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? null));

function holds({ matches, equals, not = false }, value) {
  const fits = matches === undefined || new RegExp(matches, "u").test(textOf(value));
  const same = equals === undefined || JSON.stringify(value) === JSON.stringify(equals);
  return (fits && same) !== not;
}

function toRule(rule) {
  if (typeof rule === "boolean") return rule;
  const { allowedDecisions, description, when } = rule;
  return {
    allowedDecisions,
    ...(description && {
      description: ({ args }) =>
        description.replaceAll(/\\{(\\w+)\\}/g, (whole, name) => (args[name] === undefined ? whole : textOf(args[name]))),
    }),
    ...(when && {
      when: ({ toolCall }) =>
        Object.entries(when.args).every(([name, condition]) => holds(condition, toolCall.args[name])),
    }),
  };
}

const toRules = (rules = {}) =>
  Object.fromEntries(Object.entries(rules).map(([tool, rule]) => [tool, toRule(rule)]));

/** What Countersign's policy would judge is asked about here. */
const always = { write_file: true, edit_file: true, delete: true, execute: true };
const interruptOn = { ...always, ...toRules(agent.interruptOn) };

/** An agent that was given some tools has no others here. */
const onlyTools = (names) =>
  createMiddleware({
    name: "OnlyTools",
    wrapModelCall: (request, handler) =>
      handler({ ...request, tools: request.tools.filter(({ name }) => names.includes(name)) }),
    wrapToolCall(request, handler) {
      const { id, name } = request.toolCall;
      if (names.includes(name)) return handler(request);
      return new ToolMessage({ content: \`There is no tool \${name}.\`, tool_call_id: id, name, status: "error" });
    },
  });
const within = (names) => (names ? [onlyTools(names)] : []);
/** No sub-agent has a tool that its agent does not have. */
const narrowed = (names) => (agent.tools && names ? names.filter((one) => agent.tools.includes(one)) : (names ?? agent.tools));

const general = {
  name: "general-purpose",
  description: "Does a self-contained piece of work with the same tools and reports back what it found or did.",
  prompt: "You do one task that another agent gives you, on your own, and answer with a complete report.",
};
const declared = agent.subAgents.some(({ name }) => name === general.name)
  ? agent.subAgents
  : [general, ...agent.subAgents];

export const graph = createDeepAgent({
  model,
  systemPrompt: agent.prompt,
  interruptOn,
  middleware: within(agent.tools),
  subagents: declared.map((sub) => ({
    name: sub.name,
    description: sub.description,
    systemPrompt: sub.prompt,
    ...(sub.model && { model: sub.model }),
    interruptOn: { ...interruptOn, ...toRules(sub.interruptOn) },
    middleware: within(narrowed(sub.tools)),
  })),
});
`;
