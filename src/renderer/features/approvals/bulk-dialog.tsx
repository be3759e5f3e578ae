/** Asks once more before many are decided at once: lists every one of them, and those that stay with the reason. */

import { useMemo, useRef } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Risk } from "../../../shared/contract/decisions.ts";
import { common } from "../../base/common-strings.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { shortenPath } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { UnreadNote } from "../../ui/unread-note.tsx";
import { ReadList } from "../seen/read-list.tsx";
import { useReadList } from "../seen/use-once-read.ts";
import { bulkStrings } from "./bulk-strings.ts";
import { decideMany } from "./decide.ts";
import { digestOfMany, type LeftOut, mayDecideAmongMany } from "./decision-gate.ts";
import { ListedCall } from "./listed-call.tsx";
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

type Verb = "approve" | "reject";

export function BulkDialog() {
  const bulk = useQueue((state) => state.bulk);
  return bulk && <Question verb={bulk.verb} ids={bulk.ids} />;
}

function Question({ verb, ids }: { verb: Verb; ids: readonly Approval["id"][] }) {
  const byId = useApprovals((state) => state.byId);
  const cancel = useRef<HTMLButtonElement>(null);
  const { go, stay } = useMemo(
    () =>
      split(
        ids.flatMap((id) => byId.get(id) ?? []),
        verb,
      ),
    [ids, byId, verb],
  );
  const { read, onceRead } = useReadList(digestOfMany(go));
  const close = () => useQueue.setState({ bulk: undefined });
  const decideAll = () => {
    void decideMany(go, { type: verb });
    close();
  };
  const count = (risk: Risk) => go.filter((one) => one.risk === risk).length;
  return (
    <Dialog
      open
      wide
      onClose={close}
      initialFocus={cancel}
      title={bulkStrings.bulkTitle(verb, go.length)}
      description={bulkStrings.bulkCounts({
        low: count("low"),
        medium: count("medium"),
        high: count("high"),
      })}
      actions={
        <>
          {!read && go.length > 0 && <UnreadNote>{bulkStrings.bulkUnread}</UnreadNote>}
          <Button ref={cancel} onClick={close}>
            {common.cancel}
          </Button>
          <Button
            look="primary"
            disabled={go.length === 0}
            locked={!read}
            onClick={() => void onceRead(decideAll)}
          >
            {bulkStrings.bulkGo(verb, go.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Listed approvals={go} />
        {stay.length > 0 && (
          <section aria-label={bulkStrings.bulkStay(stay.length)}>
            <h3 className="mb-1 font-medium">{bulkStrings.bulkStay(stay.length)}</h3>
            <ul className="flex flex-col gap-1.5">
              {stay.map(({ approval, why }) => (
                <Row key={approval.id} approval={approval} why={bulkStrings.whyStays[why]} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}

function Listed({ approvals }: { approvals: readonly Approval[] }) {
  return (
    <ReadList digest={digestOfMany(approvals)}>
      <ul
        aria-label={bulkStrings.bulkListed}
        className="flex flex-col gap-1.5 rounded-md border border-line bg-sunken px-2.5 py-1.5 empty:hidden"
      >
        {approvals.map((approval) => (
          <Row key={approval.id} approval={approval} listDigest={digestOfMany(approvals)} />
        ))}
      </ul>
    </ReadList>
  );
}

function Row({ approval, why, listDigest }: { approval: Approval; why?: string; listDigest?: string }) {
  const { risk, threadTitle, workspace } = approval;
  const home = useHost((store) => store.host?.home);
  return (
    <ListedCall approval={approval} listDigest={listDigest}>
      <p className="text-sm text-ink-3">
        {strings.risks[risk]} · <ForeignText text={threadTitle} /> · {strings.inFolder}{" "}
        <ForeignText text={shortenPath(workspace, home)} />
      </p>
      {why && <p className="text-sm text-warn">{why}</p>}
    </ListedCall>
  );
}

function split(chosen: readonly Approval[], verb: Verb) {
  const go: Approval[] = [];
  const stay: { approval: Approval; why: LeftOut }[] = [];
  for (const approval of chosen) {
    const why = mayDecideAmongMany(approval, verb);
    if (why) stay.push({ approval, why });
    else go.push(approval);
  }
  return { go, stay };
}
