/** What a request to the web brought back, before the agent reads it, and on the request's own card the choice to see it first. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Subject } from "../../../shared/contract/subjects.ts";
import { kindOf } from "../../../shared/tools/tools.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { Switch } from "../../ui/switch.tsx";
import { toggled, useQueue } from "./queue-store.ts";
import { Gauged, Piece, Text } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";

type Props = { approval: Approval; subject: Extract<Subject, { kind: "response" }> };

/** Others wrote it: nothing of it is taken for the console's words. */
export function ResponseSubject({ approval, subject: { request, text, failed } }: Props) {
  return (
    <Gauged approval={approval} digest={approval.digest}>
      <Piece name="brought" className="font-medium text-warn">
        {subjectStrings.broughtBack(failed)}
      </Piece>
      <Text approval={approval} text={request} name="request " />
      <Text approval={approval} text={text} name="response " />
    </Gauged>
  );
}

/** Belongs to Approve on a card about the web; what it says is sent with the decision. */
export function ResponseFirst({ approval: { id, kind, tool } }: { approval: Approval }) {
  const isSet = useQueue((state) => state.responseFirst.has(id));
  const always = useSettings((state) => state.settings.holdResponses);
  if (kind !== "tool" || kindOf(tool) !== "web") return null;
  if (always) return <p className="text-sm text-ink-2">{subjectStrings.responseWaits}</p>;
  const set = (on: boolean) =>
    useQueue.setState(({ responseFirst }) => ({ responseFirst: toggled(responseFirst, id, on) }));
  return <Switch label={subjectStrings.responseFirst} checked={isSet} onChange={set} />;
}
