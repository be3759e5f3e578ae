/** What of the console decides about calls, as the product has it: judge, switch, rules and their offers, on a database in memory. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createApprovalStore } from "../../src/main/approvals/approval-store.ts";
import { createAutoApproveSwitch } from "../../src/main/approvals/auto-approve.ts";
import { createLedger } from "../../src/main/approvals/ledger.ts";
import { createWorkspaceFiles } from "../../src/main/files/workspace-files.ts";
import { toQuestion } from "../../src/main/gate/ask.ts";
import type { AskRoute, GatedCall, Route } from "../../src/main/gate/call.ts";
import { createJudge } from "../../src/main/gate/judge.ts";
import { findCardOrigins } from "../../src/main/provenance/card-origins.ts";
import type { KnownTexts } from "../../src/main/provenance/readings.ts";
import { createFolderTrust } from "../../src/main/rules/folder-trust.ts";
import { judging } from "../../src/main/rules/judging-thread.ts";
import { createRuleBook } from "../../src/main/rules/rule-book.ts";
import { createRuleOffers } from "../../src/main/rules/rule-offers.ts";
import { createUncoveredCommands } from "../../src/main/rules/uncovered-commands.ts";
import { createSandbox, type Sandbox } from "../../src/main/sandbox/sandbox.ts";
import { createWorkspaceStore } from "../../src/main/settings/workspace-store.ts";
import { openInMemory } from "../../src/main/threads/testing/add-thread.ts";
import { builtInSource, createThreadStore } from "../../src/main/threads/thread-store.ts";
import { createToolPolicy } from "../../src/main/tools/tool-policy.ts";
import type { RuleOffer } from "../../src/shared/contract/rules.ts";
import type { AgentId, ThreadId, TurnId } from "../../src/shared/ids.ts";
import type { Call } from "./trace.ts";
import type { BenchWorkspace } from "./workspace.ts";

const threadId = "thread" as ThreadId;

export type OwnConsole = {
  /** @param read what the person said and the agent read before it; without it the switch does not know where texts came from. */
  route(call: Call, read?: KnownTexts): Promise<Route>;
  /** Puts the question into the queue and decides it as a person; a rule that is offered on its card is taken. */
  decide(call: Call, route: AskRoute, decision: "approve" | "reject"): Promise<RuleOffer | undefined>;
  /** What commands have in common to be decided together; empty for what stands alone. */
  shapeOf(command: string): Promise<string>;
  turnAutoApproveOn(): void;
  close(): void;
};

/** A sandbox as if it had held its attack: nothing is run here. */
const held: Pick<Sandbox, "mode" | "ready" | "folders"> = {
  mode: () => "auto",
  folders: () => [],
  ready: async () => ({ usable: true, program: "", tries: 0 }),
};

/**
 * @param named whether the person said of tools of servers which of them only read
 * @param isConfining whether there is a sandbox, and they let commands that no rule covers run in it
 */
export function createOwnConsole(
  { workspace, dataDir, context }: BenchWorkspace,
  named: boolean,
  isConfining = false,
): OwnConsole {
  const database = openInMemory();
  const now = () => 0;
  const shell = "bash";
  const threads = createThreadStore(database, now, () => undefined);
  const workspaces = createWorkspaceStore(database, now);
  workspaces.setTrust(workspace, true);
  threads.create({
    id: threadId,
    title: "Bench",
    titled: true,
    workspace,
    source: builtInSource,
    agentId: "agent" as AgentId,
    model: { provider: "demo", model: "demo" },
    forkedFrom: undefined,
  });
  const thread = threads.get(threadId);
  const approvals = createApprovalStore(database, now, () => undefined);
  const ledger = createLedger(database, now);
  const own = mkdtempSync(join(dataDir, "console-"));
  const folderTrust = createFolderTrust(database, workspaces, own, () => []);
  const isTrusted = workspaces.isTrusted;
  const rules = createRuleBook({
    dataDir: own,
    shell,
    ledger,
    unconsumed: () => [],
    isTrusted,
    folderTrust,
    originOf: (workspace) => workspace,
  });
  const offers = createRuleOffers(database, rules);
  const reading = new Set<string>();
  const files = createWorkspaceFiles(workspace);
  const policy = createToolPolicy({
    dataDir: own,
    shell,
    rulesFor: (thread) => rules.inForce(thread),
    isTrusted,
    filesOf: () => files,
    classOfTool: async (tool) => (named && reading.has(tool) ? "reads" : undefined),
  });
  const autoApprove = createAutoApproveSwitch(
    now,
    () => undefined,
    () => undefined,
  );
  const sandbox = isConfining ? held : createSandbox({ mode: () => "off", onKnown: () => undefined });
  const uncovered = createUncoveredCommands({
    setting: () => (isConfining ? "confined" : "ask"),
    sandbox,
    isTrusted,
    uncoveredAsk: () => false,
  });
  const readOf = new Map<string, KnownTexts>();
  const judge = createJudge({
    policy,
    shell,
    autoApprove,
    sandbox,
    uncovered,
    async originsOf(call) {
      const read = readOf.get(call.key);
      return read ? findCardOrigins({ of: async () => read }, call) : [];
    },
  });
  let calls = 0;

  function gated({ tool, args }: Call): GatedCall {
    calls += 1;
    const id = `call-${calls}`;
    return {
      key: id,
      threadId,
      turnId: "turn" as TurnId,
      itemId: id,
      parentItemId: undefined,
      agentPath: [],
      toolCallId: id,
      tool,
      args,
      rule: undefined,
      argsSchema: undefined,
      face: undefined,
    };
  }

  return {
    async route(call, read) {
      if (call.reads) reading.add(call.tool);
      const asked = gated(call);
      if (read) readOf.set(asked.key, read);
      const route = await judge.route(asked, thread);
      readOf.delete(asked.key);
      return route;
    },
    async decide(call, route, type) {
      const { row } = approvals.ask(toQuestion(gated(call), route));
      const offer = type === "approve" ? await offers.find(row, thread) : undefined;
      if (offer)
        rules.add({ text: offer.text, effect: "allow", scope: "workspace", target: "command", workspace });
      const decided = { decision: { type }, by: { kind: "person" } } as const;
      approvals.decide(row.id, row.digest, { ...decided, effectiveAt: now() });
      const { tool, args: originalArgs, cwd, verdict } = row;
      ledger.add({
        threadId,
        threadTitle: "Bench",
        agentPath: [],
        tool,
        originalArgs,
        cwd,
        verdict,
        ...decided,
      });
      return offer;
    },
    shapeOf: (command) => judging.shape(command, context),
    turnAutoApproveOn: () => void autoApprove.turnOn(threadId, longestLeaseMinutes, mostActions),
    close() {
      autoApprove.close();
      database.close();
    },
  };
}

/** Longer than any replay, so that what is measured is what the switch lets pass and not when it ends. */
const longestLeaseMinutes = 600;
const mostActions = 1_000_000;
