/** Which items are one run of reading: calls in a row that only read, that worked, and about which nobody was asked. */
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import { kindOf } from "../../../../shared/tools/tools.ts";
import { hasFailed } from "../tool-card/tool-subject.ts";
import type { Part } from "./transcript-store.ts";

type Runs = ReadonlyMap<string, readonly string[]>;

/** Whatever happens makes new items, so what was found in them holds as long as they do. */
const found = new WeakMap<Part["items"], Runs>();

/** @returns the ids of the run that an item is in, in their order; `undefined` for one that stands alone. */
export function readingRunOf(part: Part, id: string): readonly string[] | undefined {
  let runs = found.get(part.items);
  if (!runs) {
    runs = findRuns(part);
    found.set(part.items, runs);
  }
  return runs.get(id);
}

/** The name under which it is remembered whether a run stands open. */
export function runName(ids: readonly string[]): string {
  return `${ids[0]}:run`;
}

function findRuns({ order, children, items }: Part): Runs {
  const runs = new Map<string, readonly string[]>();
  const take = (run: readonly string[]) => {
    if (run.length > 1) for (const id of run) runs.set(id, run);
  };
  for (const ids of [order, ...children.values()]) {
    let run: string[] = [];
    for (const id of ids) {
      if (isQuietRead(items.get(id))) run.push(id);
      else {
        take(run);
        run = [];
      }
    }
    take(run);
  }
  return runs;
}

/** What failed, and what somebody decided, is seen by itself. */
function isQuietRead(item: TranscriptItem | undefined): boolean {
  if (item?.kind !== "toolCall" || kindOf(item.tool) !== "read") return false;
  return item.state === "finished" && item.approvalId === undefined && !hasFailed(item);
}
