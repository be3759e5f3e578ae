/** The list "Threads": every thread with its state in words, how much of it waits, and a way to find one. */

import { Archive, Group, Plus, RotateCw } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import type { ThreadId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useConnection } from "../../base/stores/connection-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { describeError, lastSegment } from "../../base/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { showProblem } from "../../ui/toast.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { arrangeThreads } from "./arrange-threads.ts";
import { createThread } from "./create-thread.ts";
import { strings } from "./strings.ts";
import { ThreadRow } from "./thread-row.tsx";
import { ThreadSearch } from "./thread-search.tsx";

export function ThreadList() {
  const [query, setQuery] = useState("");
  const [grouped, setGrouped] = useState(false);
  const [archived, setArchived] = useState(false);
  return (
    <>
      <div className="flex items-center gap-1.5 px-3 pt-2 pb-1.5">
        <TextField
          label={strings.search}
          hideLabel
          type="search"
          placeholder={strings.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="min-w-0 flex-1"
        />
        <IconButton
          label={grouped ? strings.ungrouped : strings.grouped}
          aria-pressed={grouped}
          onClick={() => setGrouped(!grouped)}
          className={cx(grouped && "text-accent")}
        >
          <Group />
        </IconButton>
        <Button look="primary" onClick={() => void createThread()} className="[&_svg]:size-3.5">
          <Plus aria-hidden />
          {strings.newThread}
        </Button>
      </div>
      {query.trim() ? <ThreadSearch query={query.trim()} /> : <Rows grouped={grouped} archived={archived} />}
      <ListFooter archived={archived} onArchived={setArchived} />
    </>
  );
}

function Rows({ grouped, archived }: { grouped: boolean; archived: boolean }) {
  const byId = useThreads((state) => state.byId);
  const ready = useConnection((state) => state.ready);
  const rows = useMemo(() => arrangeThreads(byId.values(), { grouped, archived }), [byId, grouped, archived]);
  if (!ready) return <p className="flex-1 px-3 text-ink-3">{common.loading}</p>;
  return (
    <>
      {rows.length === 0 && (
        <div className="px-3 py-2 text-ink-3">
          <p className="font-medium text-ink-2">{strings.emptyTitle}</p>
          <p>{strings.emptyText}</p>
        </div>
      )}
      <VirtualList label={strings.list} rows={rows} className="px-1.5" onKeyDown={moveBetweenRows}>
        {(row) =>
          row.kind === "thread" ? (
            <ThreadRow key={row.key} thread={row.thread} />
          ) : (
            <div
              key={row.key}
              title={spellOut(row.label)}
              className="px-1.5 pt-2 pb-0.5 text-sm font-semibold text-ink-3"
            >
              <ForeignText text={lastSegment(row.label)} />
            </div>
          )
        }
      </VirtualList>
    </>
  );
}

/** Arrow keys go from row to row. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-thread]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

function ListFooter({
  archived,
  onArchived,
}: {
  archived: boolean;
  onArchived: (archived: boolean) => void;
}) {
  const byId = useThreads((state) => state.byId);
  const all = [...byId.values()];
  const archivedCount = all.filter((thread) => thread.archived).length;
  const interrupted = all.filter((thread) => thread.status === "interrupted" && thread.can.resume);
  if (archivedCount === 0 && interrupted.length < 2 && !archived) return null;
  return (
    <div className="flex flex-wrap gap-1.5 px-3 py-1.5 [&_svg]:size-3">
      {interrupted.length > 1 && (
        <Button small onClick={() => void resumeAll(interrupted.map((thread) => thread.id))}>
          <RotateCw aria-hidden />
          {strings.resumeAll(interrupted.length)}
        </Button>
      )}
      {(archivedCount > 0 || archived) && (
        <Button small look="quiet" aria-pressed={archived} onClick={() => onArchived(!archived)}>
          <Archive aria-hidden />
          {strings.showArchived(archivedCount)}
        </Button>
      )}
    </div>
  );
}

async function resumeAll(ids: readonly ThreadId[]): Promise<void> {
  const results = await Promise.allSettled(
    ids.map((threadId) => client().call("threads.resume", { commandId: newCommandId(), threadId })),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed) showProblem(common.failed, describeError(failed.reason));
}
