/** Where a card of a remote server comes from, whether an answer can be delivered, and what an answer to it means. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ServerCard } from "../../../shared/contract/remote-servers.ts";
import { formatClock } from "../../base/words.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Piece } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";

const words = subjectStrings.server;
const warning = "rounded-md bg-warn-soft px-2 py-1 text-warn";

export function ServerPiece({ approval: { server } }: { approval: Approval }) {
  if (!server) return null;
  const { name, url, graph, thread, among, dialect, limit, note } = server;
  const warnings = [standingOf(server), limit, note].filter((one) => one !== undefined);
  return (
    <Piece name="server" className="flex flex-col gap-1 text-sm text-ink-2 [overflow-wrap:anywhere]">
      {warnings.map((text) => (
        <p key={text} role="status" className={warning}>
          <ForeignText text={text} />
        </p>
      ))}
      <p>
        {words.from} <ForeignText text={name} /> (<ExactText text={url} oneLine />)
      </p>
      <p className="text-ink-3">
        {words.graph} <ExactText text={graph} oneLine /> · {words.thread} <ExactText text={thread} oneLine />
      </p>
      {among > 1 && <p>{dialect === "javascript" ? words.togetherOrNone(among) : words.together(among)}</p>}
      <p>{words.promise}</p>
    </Piece>
  );
}

function standingOf({ name, standing }: ServerCard): string | undefined {
  if (standing.kind === "waits") return undefined;
  const at = formatClock(standing.since);
  return standing.kind === "unknown" ? words.unknown(name, at) : words.unseen(name, at, standing.why);
}
