/** Shows in full what a folder's rules, instructions and skills say that the person did not take in yet, and takes it in once they looked. */

import { Suspense, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import { utf8Bytes } from "../../../shared/wire/json-bytes.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { lazyPart } from "../../base/load-code.ts";
import { useReading } from "../../base/use-reading.ts";
import { describeError, formatBytes } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { revealCharacters, spellOut } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";
import { manyKey, ReadList } from "../seen/read-list.tsx";
import { useReadList } from "../seen/use-once-read.ts";
import { strings } from "./strings.ts";

const FileDifference = lazyPart(() => import("../approvals/file-difference.tsx"));
const words = strings.workspaces;

type Review = Output<"workspaces.review">;

type ReviewProps = {
  /** The folder. */
  path: string;
  title: string;
  text: string;
  /** What the button that takes it in says. */
  takeLabel: string;
  /** Takes in what the digest stands for. What it throws is said, and the folder looked at anew. */
  onTake: (digest: string) => Promise<void>;
  onClose: () => void;
};

/** Takes in only what was on the screen to its end, by the digest of what was shown. */
export function ReviewDialog({ path, title, text, takeLabel, onTake, onClose }: ReviewProps) {
  const { value, problem, reload } = useReading(path, () => client().call("workspaces.review", { path }));
  const [refused, setRefused] = useState<string>();
  const { read, onceRead } = useReadList(value?.digest ?? "");
  async function take() {
    if (!value) return;
    try {
      await onTake(value.digest);
      onClose();
    } catch (error) {
      setRefused(describeError(error));
      reload();
    }
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={title}
      description={text}
      actions={
        <>
          <Button onClick={onClose}>{words.notNow}</Button>
          <Button
            look="strong"
            disabled={!value}
            locked={!read}
            title={read ? undefined : words.lookToEnd}
            onClick={() => void onceRead(take)}
          >
            {takeLabel}
          </Button>
        </>
      }
    >
      {refused && <ProblemText problem={refused} />}
      {problem && <ProblemText lead={words.lookFailed} problem={problem} />}
      {!value && !problem && <p role="status">{common.loading}</p>}
      {value?.tooMuch && (
        <p className="mb-3 text-warn">
          <ForeignText text={value.tooMuch} />
        </p>
      )}
      {value && (
        <ReadList digest={value.digest} className="flex flex-col gap-3">
          {value.files.map((diff) => (
            <ReviewedFile key={diff.path} diff={diff} digest={value.digest} />
          ))}
        </ReadList>
      )}
    </Dialog>
  );
}

function ReviewedFile({ diff, digest }: { diff: Review["files"][number]; digest: string }) {
  return (
    <section aria-label={spellOut(diff.path)}>
      <h3 data-piece={`path ${diff.path}`} className="font-medium [overflow-wrap:anywhere]">
        <bdi>
          <RevealedText parts={revealCharacters(diff.path, { oneLine: true })} inProse inOrder />
        </bdi>
        {diff.after !== null && (
          <span className="font-normal text-ink-2"> · {formatBytes(utf8Bytes(diff.after))}</span>
        )}
      </h3>
      {diff.tooLarge ? (
        <p className="text-ink-2">{words.tooLarge}</p>
      ) : (
        <Suspense fallback={<div data-unread className="h-16" />}>
          <FileDifference readKey={manyKey} digest={digest} diff={diff} name={`${diff.path} `} />
        </Suspense>
      )}
    </section>
  );
}
