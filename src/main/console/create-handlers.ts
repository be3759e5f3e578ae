/** Puts the handlers of the contract together from the parts of an open host. */
import type { ThreadId } from "../../shared/ids.ts";
import type { Handlers } from "../../shared/wire/serve-contract.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stores } from "../engine/stores.ts";
import { createConfinedSwitch } from "../rules/uncovered-commands.ts";
import { createGlanceStore } from "../threads/glances.ts";
import type { ConsoleParts, HostParts } from "./console-parts.ts";
import { createAgentHandlers } from "./handlers/agents.ts";
import { createApprovalHandlers } from "./handlers/approvals.ts";
import { createConsoleHandlers } from "./handlers/console.ts";
import { createExecutionHandlers } from "./handlers/executions.ts";
import { createHomeHandlers } from "./handlers/home.ts";
import { createCostHandlers, createModelHandlers } from "./handlers/models.ts";
import { createOuterAgentHandlers, createRemoteServerHandlers } from "./handlers/outer-agents.ts";
import { createRuleHandlers } from "./handlers/rules.ts";
import { createDeepagentsHandlers, createDraftHandlers, createThreadHandlers } from "./handlers/threads.ts";
import { createUndoHandlers } from "./handlers/undo.ts";
import { createWorkspaceHandlers } from "./handlers/workspaces.ts";
import { createThreadActivity } from "./thread-activity.ts";
import { createSummaries } from "./thread-summary.ts";

type Opened = { stores: Stores; engine: Engine; host: HostParts };

/** Calls and streams of the contract. */
export function createHandlers(opened: Opened): Handlers {
  const parts = toParts(opened);
  return {
    ...createConsoleHandlers(parts),
    ...createThreadHandlers(parts),
    ...createApprovalHandlers(parts),
    ...createRuleHandlers(parts),
    ...createExecutionHandlers(parts),
    ...createWorkspaceHandlers(parts),
    ...createModelHandlers(parts),
    ...createCostHandlers(parts),
    ...createUndoHandlers(parts),
    ...createHomeHandlers(parts),
    ...createDraftHandlers(parts),
    ...createAgentHandlers(parts),
    ...createDeepagentsHandlers(parts),
    ...createRemoteServerHandlers(parts),
    ...createOuterAgentHandlers(parts),
  };
}

function toParts({ stores, engine, host }: Opened): ConsoleParts {
  const { changes, now } = host;
  const { database, rules, settings, spending, workspaces } = stores;
  const tellThread = (threadId: ThreadId) => changes.tell({ kind: "thread", threadId });
  const activity = createThreadActivity(now, tellThread);
  changes.listen(activity.hear);
  const summaries = createSummaries({
    stores,
    engine,
    activity,
    glances: createGlanceStore(database),
    spending,
  });
  const confinedSwitch = createConfinedSwitch({
    settings: settings.get,
    update: settings.update,
    trustsAny: () => workspaces.list().some(({ trusted }) => trusted),
    rules,
    uncovered: engine.uncovered,
  });
  return { ...stores, ...engine, ...host, summaries, confinedSwitch };
}
