/** The button that has a command rehearsed before it is decided about. */
import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { Button } from "../../ui/button.tsx";
import { rehearsalStrings as words } from "./rehearsal-strings.ts";
import { mayRehearse, rehearse, useRehearsing } from "./rehearse.ts";

export function RehearseButton({
  approval,
  busy,
  hint,
}: {
  approval: Approval;
  busy: boolean;
  hint: ReactNode;
}) {
  useHost((state) => state.host?.sandbox.state);
  const underway = useRehearsing(({ ids }) => ids.has(approval.id));
  if (!mayRehearse(approval)) return null;
  return (
    <Button disabled={busy || underway} onClick={() => void rehearse(approval, true)}>
      <FlaskConical aria-hidden />
      {underway ? words.rehearsing : words.rehearse}
      {hint}
    </Button>
  );
}
