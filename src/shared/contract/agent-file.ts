/** What an agent's file must fulfil beyond its shape, so that form, file and host refuse the same things in the same words. */
import { messageOf } from "../message-of.ts";
import { agentSchema, type InterruptOn } from "./agents.ts";

/** An id is a file name, so it must be a harmless one on every system. */
export const agentIdPattern = /^[a-z0-9][a-z0-9-]{0,99}$/;

/** Patterns that compile, sub-agents that can be told apart, an id that can name a file. */
export const agentFileSchema = agentSchema.superRefine((agent, context) => {
  const add = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message });
  if (!agentIdPattern.test(agent.id)) add(["id"], "use up to 100 lower-case letters, digits and hyphens");
  for (const { path, message } of badPatterns(agent.interruptOn, ["interruptOn"])) add(path, message);
  const names = agent.subAgents.map((sub) => sub.name);
  for (const [index, sub] of agent.subAgents.entries()) {
    if (names.indexOf(sub.name) < index)
      add(["subAgents", index, "name"], `another sub-agent is named ${sub.name} already`);
    const place = ["subAgents", index, "interruptOn"];
    for (const { path, message } of badPatterns(sub.interruptOn ?? {}, place)) add(path, message);
  }
});

function badPatterns(interruptOn: InterruptOn, place: (string | number)[]) {
  return Object.entries(interruptOn).flatMap(([tool, rule]) => {
    const conditions = typeof rule === "object" ? (rule.when?.args ?? {}) : {};
    return Object.entries(conditions).flatMap(([argument, { matches }]) => {
      const message = matches === undefined ? undefined : whyBadPattern(matches);
      return message ? [{ path: [...place, tool, "when", "args", argument, "matches"], message }] : [];
    });
  });
}

function whyBadPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch (cause) {
    return `is not a regular expression: ${messageOf(cause)}`;
  }
}
