/** Decides where each transcript item stands: a sub-agent's inside their `task` call, a queued message where its turn begins, what was taken back inside of the line that says so. */
import type { ToolCallItem, TranscriptItem } from "../../../../shared/contract/transcript.ts";
import { kindOf } from "../../../../shared/tools/tools.ts";

export type Arrangement = {
  /** Ids of the items of the thread's own run, in reading order. */
  order: readonly string[];
  /** Ids inside each `task` call, and of what each line took back, by its item id. */
  children: ReadonlyMap<string, readonly string[]>;
};

type Spoken = { turnId: string; parentItemId?: string; agentPath: readonly string[]; at: number };

/** @param sorted all known items by position. An item whose `task` call is not known stands at the top level. */
export function arrangeTranscript(sorted: readonly TranscriptItem[]): Arrangement {
  const order: string[] = [];
  const children = new Map<string, string[]>();
  const tasks: ToolCallItem[] = [];
  const held = new Map<string, string[]>();
  for (const item of sorted) {
    if (item.kind === "userMessage" && !item.cancelled) {
      held.set(item.turnId, [...(held.get(item.turnId) ?? []), item.id]);
      continue;
    }
    order.push(...(held.get(item.turnId) ?? []));
    held.delete(item.turnId);
    // A model step that only called tools said nothing; its calls stand for it. Its turn has begun all the same.
    if (item.kind === "agentMessage" && item.text === "" && !item.reasoning) continue;
    const parentId = parentOf(item, tasks);
    if (item.kind === "toolCall" && kindOf(item.tool) === "delegate") {
      tasks.push(item);
      children.set(item.id, []);
    }
    (parentId === undefined ? order : children.get(parentId))?.push(item.id);
  }
  return foldTakenBack(sorted, [...order, ...[...held.values()].flat()], children);
}

/** Where the line is not known, as in a part read by itself, what it took back stands by itself too. */
function foldTakenBack(
  sorted: readonly TranscriptItem[],
  order: readonly string[],
  children: Map<string, readonly string[]>,
): Arrangement {
  const lineOf = new Map(sorted.flatMap(({ id, takenBack }) => (takenBack ? [[id, takenBack]] : [])));
  if (lineOf.size === 0) return { order, children };
  const folded = new Map<string, string[]>(
    sorted.flatMap(({ id, kind }) => (kind === "takenBack" ? [[id, []]] : [])),
  );
  const left = order.filter((id) => {
    const inLine = folded.get(lineOf.get(id) ?? "");
    inLine?.push(id);
    return inLine === undefined;
  });
  return { order: left, children: new Map([...children, ...folded]) };
}

function parentOf(item: TranscriptItem, tasks: readonly ToolCallItem[]): string | undefined {
  if (item.kind === "toolCall") return tasks.find((task) => task.id === item.parentItemId)?.id;
  if (item.kind === "agentMessage") return taskOfMessage(item, tasks);
  return undefined;
}

/**
 * The `task` call a sub-agent's message was written in. Messages of older logs name their agent only; then this
 * answers `undefined` when two sub-agents of one name worked at that moment: better loose than in the wrong run.
 */
export function taskOfMessage(
  { turnId, parentItemId, agentPath, at }: Spoken,
  tasks: readonly ToolCallItem[],
): string | undefined {
  if (parentItemId) return tasks.find((task) => task.id === parentItemId)?.id;
  if (agentPath.length === 0) return undefined;
  const above = agentPath.slice(0, -1).join("/");
  const fitting = tasks.filter(
    (task) =>
      task.turnId === turnId &&
      task.args.subagent_type === agentPath.at(-1) &&
      task.agentPath.join("/") === above &&
      task.at <= at &&
      (task.finishedAt === undefined || task.finishedAt >= at),
  );
  return fitting.length === 1 ? fitting[0]?.id : undefined;
}
