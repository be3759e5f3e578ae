/** Branded identifiers, so that one kind of id cannot be passed where another is meant. */
import { z } from "zod";

const id = () => z.string().min(1).max(200);

export const threadIdSchema = id().brand<"ThreadId">();
export const turnIdSchema = id().brand<"TurnId">();
export const messageIdSchema = id().brand<"MessageId">();
export const approvalIdSchema = id().brand<"ApprovalId">();
export const executionIdSchema = id().brand<"ExecutionId">();
export const agentIdSchema = id().brand<"AgentId">();
export const ruleIdSchema = id().brand<"RuleId">();
/** Made by the client; a command that arrives twice with one id acts once. */
export const commandIdSchema = id().brand<"CommandId">();

export type ThreadId = z.infer<typeof threadIdSchema>;
export type TurnId = z.infer<typeof turnIdSchema>;
export type MessageId = z.infer<typeof messageIdSchema>;
export type ApprovalId = z.infer<typeof approvalIdSchema>;
export type ExecutionId = z.infer<typeof executionIdSchema>;
export type AgentId = z.infer<typeof agentIdSchema>;
export type RuleId = z.infer<typeof ruleIdSchema>;
export type CommandId = z.infer<typeof commandIdSchema>;
