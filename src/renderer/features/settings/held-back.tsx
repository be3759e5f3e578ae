/** Shows what changed in a trusted folder's rules, instructions and skills, and takes them in once a person looked. */

import { Suspense, useEffect, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { Workspace } from "../../../shared/contract/workspaces.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { lazyPart } from "../../base/load-code.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { revealCharacters, spellOut } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";
import { manyKey, ReadList } from "../seen/read-list.tsx";
import { useReadList } from "../seen/use-once-read.ts";
import { strings } from "./strings.ts";

const FileDifference = lazyPart(() => import("../approvals/file-difference.tsx"));
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
  const { read, onceRead } = useReadList(value?.digest ?? "");
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
      wide
      onClose={onClose}
      title={words.lookTitle(workspace.name)}
      description={words.lookText}
      actions={
        <>
          <Button onClick={onClose}>{words.notNow}</Button>
          <Button
            look="primary"
            disabled={!value}
            locked={!read}
            title={read ? undefined : words.lookToEnd}
            onClick={() => void onceRead(accept)}
          >
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
      {!value && !problem && <p role="status">{common.loading}</p>}
      {value && (
        <ReadList digest={value.digest} className="flex flex-col gap-3">
          {value.files.map((diff) => (
            <section key={diff.path} aria-label={spellOut(diff.path)}>
              <h3 data-piece={`path ${diff.path}`} className="font-medium [overflow-wrap:anywhere]">
                <RevealedText parts={revealCharacters(diff.path, { oneLine: true })} inProse />
              </h3>
              {diff.tooLarge ? (
                <p className="text-ink-2">{words.tooLarge}</p>
              ) : (
                <Suspense fallback={<div data-unread className="h-16" />}>
                  <FileDifference
                    readKey={manyKey}
                    digest={value.digest}
                    diff={diff}
                    name={`${diff.path} `}
                  />
                </Suspense>
              )}
            </section>
          ))}
        </ReadList>
      )}
    </Dialog>
  );
}
