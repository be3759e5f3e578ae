/** Shows what changed in a trusted folder's rules, instructions and skills, and takes them in once a person looked. */
import { Suspense, useEffect, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { Workspace } from "../../../shared/contract/workspaces.ts";
import { client } from "../../app/client.ts";
import { lazyPart } from "../../app/load-code.ts";
import { describeError } from "../../app/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { revealCharacters } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";
import { strings } from "./strings.ts";

const DiffView = lazyPart(() => import("../../ui/diff-view.tsx"));
const words = strings.workspaces;

type HeldBackProps = { workspace: Workspace; files: readonly string[]; onAccepted: () => void };

export function HeldBack({ workspace, files, onAccepted }: HeldBackProps) {
  const [open, setOpen] = useState(false);
  return (
    <div role="status" className="flex w-full flex-wrap items-center gap-2 text-sm text-warn">
      <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <RevealedText parts={revealCharacters(words.heldBack(files.join(", ")))} inProse />
      </p>
      <Button small onClick={() => setOpen(true)}>
        {words.look}
      </Button>
      {open && <ReviewDialog workspace={workspace} onClose={() => setOpen(false)} onAccepted={onAccepted} />}
    </div>
  );
}

type ReviewProps = { workspace: Workspace; onClose: () => void; onAccepted: () => void };

function ReviewDialog({ workspace, onClose, onAccepted }: ReviewProps) {
  const [value, setValue] = useState<Output<"workspaces.review">>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    client()
      .call("workspaces.review", { path: workspace.path })
      .then(setValue)
      .catch((error) => setProblem(describeError(error)));
  }, [workspace.path, attempt]);
  const [refused, setRefused] = useState<string>();
  async function accept() {
    if (!value) return;
    try {
      await client().call("workspaces.accept", { path: workspace.path, digest: value.digest });
      onAccepted();
      onClose();
    } catch (error) {
      setRefused(describeError(error));
      setAttempt((count) => count + 1);
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.lookTitle(workspace.name)}
      description={words.lookText}
      actions={
        <>
          <Button onClick={onClose}>{words.notNow}</Button>
          <Button look="primary" disabled={!value} onClick={() => void accept()}>
            {words.accept}
          </Button>
        </>
      }
    >
      {refused && (
        <p role="alert" className="text-bad">
          {refused}
        </p>
      )}
      {problem && <p className="text-bad">{`${words.lookFailed} ${problem}`}</p>}
      {!value && !problem && <p role="status">{strings.loading}</p>}
      <div className="flex max-h-[60vh] flex-col gap-3 overflow-y-auto">
        {value?.files.map((diff) => (
          <section key={diff.path} aria-label={diff.path}>
            <h3 className="font-medium [overflow-wrap:anywhere]">
              <RevealedText parts={revealCharacters(diff.path)} inProse />
            </h3>
            <Suspense fallback={<div className="h-16" />}>
              <DiffView diff={diff} tooLarge={words.tooLarge} />
            </Suspense>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
