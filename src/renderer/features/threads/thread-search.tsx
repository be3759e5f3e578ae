/** Finds threads by title at once and by what was said in them as the host answers. */

import { useMemo } from "react";
import { client } from "../../base/client.ts";
import { openHit, type SearchHit } from "../../base/stores/opened-hit.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useReading } from "../../base/use-reading.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { strings } from "./strings.ts";
import { ThreadRow } from "./thread-row.tsx";
import { useStandings } from "./use-standings.ts";

type Hits = readonly SearchHit[];
const pauseMs = 200;
const mostTitles = 20;

export function ThreadSearch({ query }: { query: string }) {
  const standings = useStandings();
  const byId = useThreads((state) => state.byId);
  const { hits, problem } = useHits(query);
  const byTitle = useMemo(() => {
    const needle = query.toLowerCase();
    return standings.filter(({ thread }) => thread.title.toLowerCase().includes(needle)).slice(0, mostTitles);
  }, [standings, query]);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-1.5">
      <ul aria-label={strings.list}>
        {byTitle.map((standing) => (
          <li key={standing.thread.id}>
            <ThreadRow standing={standing} />
          </li>
        ))}
        {hits?.map((hit) => (
          <li key={`${hit.threadId}:${hit.itemId}`}>
            <button
              type="button"
              onClick={() => openHit(hit)}
              className="w-full rounded-md px-2 py-1.5 text-left hover:bg-hover"
            >
              <span className="block truncate font-medium">
                <ForeignText text={byId.get(hit.threadId)?.title || strings.untitled} />
              </span>
              <span className="block text-sm text-ink-2 [overflow-wrap:anywhere]">
                <ForeignText text={hit.snippet} lines />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="px-2 py-1.5 text-ink-3">
        {problem ? (
          <ForeignText text={problem} lines />
        ) : hits === undefined ? (
          strings.searching
        ) : (
          hits.length + byTitle.length === 0 && strings.noHits
        )}
      </p>
    </div>
  );
}

function useHits(query: string): { hits?: Hits; problem?: string } {
  const ask = () => client().call("threads.search", { query, limit: 30 });
  const { value, problem, busy } = useReading(query, ask, pauseMs);
  if (busy) return {};
  return problem === undefined ? { hits: value?.hits } : { problem: `${strings.searchFailed} ${problem}` };
}
