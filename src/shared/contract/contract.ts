/** The whole trust boundary in one object: everything the renderer may ask of the host. */
import type { z } from "zod";
import { agentsContract } from "./agents.ts";
import { approvalsContract } from "./approvals.ts";
import { autoApproveContract } from "./auto-approve.ts";
import { consoleContract } from "./console.ts";
import { costsContract } from "./costs.ts";
import { deepagentsContract } from "./deepagents.ts";
import { draftsContract } from "./drafts.ts";
import { executionsContract } from "./executions.ts";
import { homeContract } from "./home.ts";
import { ledgerContract } from "./ledger.ts";
import { modelsContract } from "./models.ts";
import { outerAgentsContract } from "./outer-agents.ts";
import type { Procedure, Stream } from "./procedure.ts";
import { remoteServersContract } from "./remote-servers.ts";
import { ruleExchangeContract } from "./rule-exchange.ts";
import { rulesContract } from "./rules.ts";
import { threadReadingContract } from "./thread-reading.ts";
import { threadsContract } from "./threads.ts";
import { undoContract } from "./undo.ts";
import { workspacesContract } from "./workspaces.ts";

export const contract = {
  ...consoleContract,
  ...threadsContract,
  ...threadReadingContract,
  ...autoApproveContract,
  ...executionsContract,
  ...approvalsContract,
  ...ledgerContract,
  ...rulesContract,
  ...ruleExchangeContract,
  ...workspacesContract,
  ...agentsContract,
  ...outerAgentsContract,
  ...remoteServersContract,
  ...deepagentsContract,
  ...modelsContract,
  ...costsContract,
  ...draftsContract,
  ...undoContract,
  ...homeContract,
};
export type Contract = typeof contract;

export type ProcedureName = {
  [K in keyof Contract]: Contract[K] extends Procedure ? K : never;
}[keyof Contract];
export type StreamName = { [K in keyof Contract]: Contract[K] extends Stream ? K : never }[keyof Contract];

/** What a caller passes (defaults may be left out). */
export type Input<K extends keyof Contract> = z.input<Contract[K]["input"]>;
/** What a handler gets, parsed. */
export type ParsedInput<K extends keyof Contract> = z.output<Contract[K]["input"]>;
export type Output<K extends ProcedureName> = z.output<Extract<Contract[K], Procedure>["output"]>;
export type Item<K extends StreamName> = z.output<Extract<Contract[K], Stream>["item"]>;
