/** Says that a trusted folder's rules, instructions or skills changed, and leads to what changed. */

import { useState } from "react";
import { ownPlace, type Workspace } from "../../../shared/contract/workspaces.ts";
import { quoteName } from "../../../shared/foreign-words.ts";
import { client } from "../../base/client.ts";
import { Button } from "../../ui/button.tsx";
import { revealCharacters } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { strings } from "./strings.ts";

const words = strings.workspaces;

type HeldBackProps = { workspace: Workspace; files: readonly string[]; onAccepted: () => void };

export function HeldBack({ workspace, files, onAccepted }: HeldBackProps) {
  const [open, setOpen] = useState(false);
  async function accept(digest: string) {
    await client().call("workspaces.accept", { path: workspace.path, digest });
    onAccepted();
  }
  const isOwn = workspace.path === ownPlace;
  const names = files.map((file) => (isOwn ? `~/${file}` : file)).join(", ");
  const says = isOwn ? words.ownHeldBack(names) : words.heldBack(names);
  return (
    <div role="status" className="flex w-full flex-wrap items-center gap-2 text-sm text-warn">
      <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <RevealedText parts={revealCharacters(says)} inProse />
      </p>
      <Button small onClick={() => setOpen(true)}>
        {words.look}
      </Button>
      {open && (
        <ReviewDialog
          path={workspace.path}
          title={words.lookTitle(isOwn ? words.ownName : quoteName(workspace.name))}
          text={words.lookText}
          takeLabel={words.accept}
          onTake={accept}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
