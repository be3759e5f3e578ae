/** Agents: a named configuration of model, prompt, tools, sub-agents and what is asked about; and the MCP servers they use. */
import { z } from "zod";
import { agentIdSchema, threadIdSchema } from "../ids.ts";
import { decisionTypeSchema } from "./decisions.ts";
import { fileProblemSchema } from "./field-problem.ts";
import { namedModelSchema, webAddressSchema } from "./models.ts";
import { procedure } from "./procedure.ts";

/** A condition on a tool call's arguments: every named argument must match its pattern. */
export const whenSchema = z.strictObject({
  args: z.record(
    z.string(),
    z.strictObject({
      matches: z.string().max(500).optional(),
      equals: z.unknown().optional(),
      not: z.boolean().optional(),
    }),
  ),
});

/** `true` asks with every decision allowed, `false` does not ask, an object says how. */
export const interruptRuleSchema = z.union([
  z.boolean(),
  z.strictObject({
    allowedDecisions: z
      .array(decisionTypeSchema)
      .min(1, "needs at least one decision, or nobody could ever answer"),
    when: whenSchema.optional(),
    /** `{name}` is replaced by the argument of that name. */
    description: z.string().max(2_000).optional(),
    /** JSON Schema that edited arguments must satisfy. */
    argsSchema: z.record(z.string(), z.unknown()).optional(),
  }),
]);
export type InterruptRule = z.infer<typeof interruptRuleSchema>;

export const interruptOnSchema = z.record(z.string().min(1), interruptRuleSchema);
export type InterruptOn = z.infer<typeof interruptOnSchema>;

export const subAgentSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/, "use lower-case letters, digits and hyphens"),
  description: z.string().min(1).max(1_000),
  prompt: z.string().max(50_000),
  model: namedModelSchema.optional(),
  tools: z.array(z.string()).optional(),
  /** Merged over the agent's own; absent inherits all of it. */
  interruptOn: interruptOnSchema.optional(),
});
export type SubAgent = z.infer<typeof subAgentSchema>;

export const agentSchema = z.strictObject({
  id: agentIdSchema,
  name: z.string().trim().min(1).max(80),
  builtIn: z.boolean().default(false),
  prompt: z.string().max(50_000),
  model: namedModelSchema.optional(),
  /** Tool names; absent means all of them. */
  tools: z.array(z.string()).optional(),
  mcpServers: z.array(z.string()).default([]),
  subAgents: z.array(subAgentSchema).max(20).default([]),
  interruptOn: interruptOnSchema.default({}),
});
export type Agent = z.infer<typeof agentSchema>;

const mcpName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/, "use lower-case letters, digits and hyphens");
export const mcpServerSchema = z.discriminatedUnion("transport", [
  z.strictObject({
    transport: z.literal("stdio"),
    name: mcpName,
    command: z.string().min(1).max(2_000),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    enabled: z.boolean().default(true),
  }),
  z.strictObject({
    transport: z.literal("http"),
    name: mcpName,
    url: webAddressSchema,
    headers: z.record(z.string(), z.string()).default({}),
    enabled: z.boolean().default(true),
  }),
]);
export type McpServer = z.infer<typeof mcpServerSchema>;

/** Whether a tool only reads, or changes something. */
const toolClassSchema = z.enum(["reads", "changes"]);

/** How a server answered: its tools by the names agents use, or why it does not work. */
const mcpAnswerSchema = z.strictObject({
  server: mcpServerSchema,
  tools: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      /** Stands for the description and the arguments, as the server tells them now. */
      digest: z.string().optional(),
      /** What the server says of itself: a proposal and nothing more. */
      hint: toolClassSchema.optional(),
      /** What the person said of exactly this description. */
      class: toolClassSchema.optional(),
    }),
  ),
  problem: z.string().optional(),
});

/** What was last known of a server; nothing is asked of it to find out. */
const mcpStateSchema = mcpAnswerSchema.extend({ connected: z.boolean() });
export type McpState = z.infer<typeof mcpStateSchema>;

const agentContextSchema = z.strictObject({
  workspace: z.string(),
  trusted: z.boolean(),
  /** Those of them that changed since a person looked at them, and the folder's rules; they hold back. */
  changed: z.array(z.string()).optional(),
  /** AGENTS.md and CLAUDE.md files and folders with a SKILL.md, relative to the workspace. Read only while it is trusted. */
  files: z.array(z.string()),
  /** Of the files, in bytes and in their order. */
  sizes: z.array(z.number().int()),
  skills: z.array(z.string()),
  /** The person's own instructions in their home, which are told to agents in every folder once they are trusted. */
  own: z
    .strictObject({
      files: z.array(z.string()),
      sizes: z.array(z.number().int()),
      trusted: z.boolean(),
      changed: z.array(z.string()),
    })
    .optional(),
});

/** What a message can begin with besides the console's own commands: a text that is put into the field in its place. */
export const messageCommandSchema = z.strictObject({
  name: z.string(),
  /** Whose it is: the person's, skills among it, the folder's, or a skill of the folder. */
  from: z.enum(["own", "folder", "skill"]),
  /** Relative to the folder, or to the home. */
  file: z.string(),
  /** What it does, in one line. */
  about: z.string(),
  text: z.string(),
});
export type MessageCommand = z.infer<typeof messageCommandSchema>;

export const agentsContract = {
  "agents.list": procedure(
    z.strictObject({}),
    z.strictObject({
      agents: z.array(agentSchema),
      tools: z.array(
        z.strictObject({ name: z.string(), description: z.string(), askedByDefault: z.boolean() }),
      ),
      /** Files that are refused; their agents are not among the others. */
      problems: z.array(fileProblemSchema),
    }),
  ),
  "agents.save": procedure(agentSchema, agentSchema),
  "agents.remove": procedure(z.strictObject({ id: agentIdSchema }), z.strictObject({})),
  /**
   * As a project for LangGraph servers: what does not come along, and the project itself in a new folder where one is
   * named.
   */
  "agents.project": procedure(
    z.strictObject({ id: agentIdSchema, folder: z.string().trim().min(1).max(4_096).optional() }),
    z.strictObject({ lost: z.array(z.string()) }),
  ),
  /** What a thread's agent is told by the files of its workspace. */
  "agents.context": procedure(z.strictObject({ threadId: threadIdSchema }), agentContextSchema),
  /** Only what the person trusts, as they looked at it. */
  "agents.commands": procedure(
    z.strictObject({ threadId: threadIdSchema }),
    z.strictObject({
      commands: z.array(messageCommandSchema),
      /** How many more there are that are not offered: not trusted, changed since, too long, or too many. */
      notOffered: z.number().int(),
    }),
  ),
  "mcp.list": procedure(
    z.strictObject({}),
    z.strictObject({
      servers: z.array(mcpStateSchema),
      problems: z.array(fileProblemSchema),
      /** What the deepagents CLI has that is not set up here; absent where it has no file of them. */
      others: z
        .strictObject({ servers: z.array(mcpServerSchema), problems: z.array(fileProblemSchema) })
        .optional(),
    }),
  ),
  "mcp.save": procedure(mcpServerSchema, mcpAnswerSchema),
  "mcp.test": procedure(mcpServerSchema, mcpAnswerSchema),
  /** Says of a tool, as it was shown, whether it reads or changes; `null` takes it back. */
  "mcp.setToolClass": procedure(
    z.strictObject({
      tool: z.string().max(200),
      digest: z.string().max(200),
      class: toolClassSchema.nullable(),
    }),
    z.strictObject({}),
  ),
  "mcp.remove": procedure(z.strictObject({ name: mcpName }), z.strictObject({})),
};
