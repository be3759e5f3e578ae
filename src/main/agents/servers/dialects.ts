/** The dialects in which graphs ask a person: read off the value alone, and answered in the same one; none is ever guessed. */

import { z } from "zod";
import type { Decision, DecisionType } from "../../../shared/contract/decisions.ts";
import type { ServerCard } from "../../../shared/contract/remote-servers.ts";
import { textOrJson } from "../../base/text-or-json.ts";

export type Action = {
  name: string;
  args: Record<string, unknown>;
  description: string | undefined;
  /** What may be said to it; only "reject" where the graph does not tell. */
  allowed: DecisionType[];
};

/** What a value asks, in the dialect that it is written in; one action of `free` stands for a question. */
export type Asked = { dialect: ServerCard["dialect"]; actions: Action[] };

const argsSchema = z.record(z.string(), z.unknown());
const describedSchema = z.string().nullish();

const javascriptSchema = z.looseObject({
  actionRequests: z
    .array(z.looseObject({ name: z.string(), args: argsSchema, description: describedSchema }))
    .min(1),
  reviewConfigs: z.array(
    z.looseObject({ actionName: z.string(), allowedDecisions: z.array(z.string()).nullish() }),
  ),
});

const pythonSchema = z.looseObject({
  action_requests: z
    .array(
      z.looseObject({
        name: z.string(),
        args: argsSchema.optional(),
        arguments: argsSchema.optional(),
        description: describedSchema,
      }),
    )
    .min(1),
  review_configs: z.array(
    z.looseObject({ action_name: z.string(), allowed_decisions: z.array(z.string()).nullish() }),
  ),
});

const perCallSchema = z.looseObject({
  type: z.literal("tool_approval"),
  tool_call_id: z.string(),
  name: z.string(),
  args: argsSchema,
  description: describedSchema,
});

const inboxSchema = z.looseObject({
  action_request: z.looseObject({ action: z.string(), args: argsSchema }),
  config: z.looseObject({
    allow_accept: z.boolean().nullish(),
    allow_edit: z.boolean().nullish(),
    allow_respond: z.boolean().nullish(),
    allow_ignore: z.boolean().nullish(),
  }),
  description: describedSchema,
});

/** @param schema what the interrupt says of the answer that it takes */
export function readAsked(value: unknown, schema: unknown): Asked {
  const read = [readJavascript(value), readPython(value), readPerCall(value, schema), readInbox(value)];
  const [asked, other] = read.filter((one) => one !== undefined);
  // Nobody knows which of two its graph would read, so all of it is shown.
  return asked === undefined || other !== undefined ? free : asked;
}

const free: Asked = {
  dialect: "free",
  actions: [{ name: "interrupt", args: {}, description: undefined, allowed: ["respond"] }],
};

function readJavascript(value: unknown): Asked | undefined {
  const { data } = javascriptSchema.safeParse(value);
  if (!data) return undefined;
  const configs = data.reviewConfigs.map((config) => ({
    name: config.actionName,
    allowed: config.allowedDecisions,
  }));
  return {
    dialect: "javascript",
    actions: data.actionRequests.map(({ name, args, description }, index) => ({
      name,
      args,
      description: description ?? undefined,
      // The stock middleware of JavaScript throws at an answer in words, and the thread is stuck for good.
      allowed: decisionsOf(allowedFor(configs, name, index), ["approve", "edit", "reject"]),
    })),
  };
}

function readPython(value: unknown): Asked | undefined {
  const { data } = pythonSchema.safeParse(value);
  if (!data) return undefined;
  const requests = data.action_requests;
  const isNew = requests.every(({ args }) => args !== undefined);
  // Some with the one name and some with the other is neither.
  if (!isNew && !requests.every((request) => request.args === undefined && request.arguments !== undefined))
    return undefined;
  const configs = data.review_configs.map((config) => ({
    name: config.action_name,
    allowed: config.allowed_decisions,
  }));
  const known: DecisionType[] = isNew
    ? ["approve", "edit", "reject", "respond"]
    : ["approve", "edit", "reject"];
  return {
    dialect: isNew ? "python" : "python-old",
    actions: requests.map(({ name, description, ...request }, index) => ({
      name,
      args: (isNew ? request.args : request.arguments) ?? {},
      description: description ?? undefined,
      allowed: decisionsOf(allowedFor(configs, name, index), known),
    })),
  };
}

function readPerCall(value: unknown, schema: unknown): Asked | undefined {
  const { data } = perCallSchema.safeParse(value);
  if (!data) return undefined;
  const { name, args, description } = data;
  const allowed = decisionsOf(typesIn(schema), ["approve", "edit", "reject", "respond"]);
  return { dialect: "per-call", actions: [{ name, args, description: description ?? undefined, allowed }] };
}

function readInbox(value: unknown): Asked | undefined {
  const { data } = inboxSchema.safeParse(Array.isArray(value) && value.length === 1 ? value[0] : value);
  if (!data) return undefined;
  const { action_request: request, config, description } = data;
  const flags: [DecisionType, boolean | null | undefined][] = [
    ["approve", config.allow_accept],
    ["edit", config.allow_edit],
    ["reject", config.allow_ignore],
    ["respond", config.allow_respond],
  ];
  const allowed = flags.flatMap(([type, isAllowed]) => (isAllowed ? [type] : []));
  const { action: name, args } = request;
  return { dialect: "inbox", actions: [{ name, args, description: description ?? undefined, allowed }] };
}

type Config = { name: string; allowed: string[] | null | undefined };

/** One config for each call, in their order; by name only where a server writes one for all calls of a tool. */
function allowedFor(configs: Config[], name: string, index: number): string[] | undefined {
  const atPlace = configs[index];
  const config = atPlace?.name === name ? atPlace : configs.find((each) => each.name === name);
  return config?.allowed ?? undefined;
}

/** Whoever does not say what may be said to it can only be told no. */
function decisionsOf(named: readonly string[] | undefined, known: readonly DecisionType[]): DecisionType[] {
  const allowed = known.filter((type) => named?.includes(type));
  return allowed.length > 0 ? allowed : ["reject"];
}

/** The types of answers that a schema tells apart, as far as it tells them by a constant. */
function typesIn(schema: unknown): string[] {
  const typeSchema = z.union([
    z.looseObject({ const: z.string() }).transform((said) => [said.const]),
    z.looseObject({ enum: z.array(z.string()) }).transform((said) => said.enum),
  ]);
  const oneSchema = z
    .looseObject({ properties: z.looseObject({ type: typeSchema }) })
    .transform(({ properties }) => properties.type);
  const manySchema = z
    .union([
      z.looseObject({ anyOf: z.array(z.unknown()).max(20) }).transform(({ anyOf }) => anyOf),
      z.looseObject({ oneOf: z.array(z.unknown()).max(20) }).transform(({ oneOf }) => oneOf),
    ])
    .catch([schema]);
  return manySchema.parse(schema).flatMap((one) => oneSchema.safeParse(one).data ?? []);
}

/**
 * The value that answers an interrupt.
 * @param decisions one for each action, in their order
 * @throws Error where one is not allowed or is missing: a wrong answer would end the thread for good
 */
export function writeAnswer({ dialect, actions }: Asked, decisions: readonly Decision[]): unknown {
  if (decisions.length !== actions.length) throw new Error("There has to be one decision for each action.");
  const answers = actions.map((action, index) => {
    const decision = decisions[index]!;
    if (!action.allowed.includes(decision.type))
      throw new Error(`“${decision.type}” may not be said to ${action.name}.`);
    return writeOne(dialect, action, decision);
  });
  if (dialect === "free" || dialect === "per-call") return answers[0];
  return dialect === "inbox" ? answers : { decisions: answers };
}

function writeOne(dialect: Asked["dialect"], { name }: Action, decision: Decision): unknown {
  if (dialect === "free") return decision.type === "respond" ? decision.answer : null;
  if (dialect === "inbox") return writeForInbox(name, decision);
  switch (decision.type) {
    case "approve":
      return { type: "approve" };
    case "reject":
      return { type: "reject", ...(decision.message?.trim() && { message: decision.message }) };
    case "respond":
      return { type: "respond", message: textOrJson(decision.answer) };
    case "edit":
      if (dialect === "javascript") return { type: "edit", editedAction: { name, args: decision.args } };
      if (dialect === "python-old")
        return { type: "edit", edited_action: { name, arguments: decision.args } };
      return { type: "edit", edited_action: { name, args: decision.args } };
  }
}

function writeForInbox(action: string, decision: Decision): unknown {
  switch (decision.type) {
    case "approve":
      return { type: "accept", args: null };
    case "edit":
      return { type: "edit", args: { action, args: decision.args } };
    case "respond":
      return { type: "response", args: textOrJson(decision.answer) };
    case "reject":
      return { type: "ignore", args: null };
  }
}
