/** The files that a worktree would bring home, each with its changes, which can be put back one by one. */

import { Suspense, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { lazyPart } from "../../base/load-code.ts";
import { useReading } from "../../base/use-reading.ts";
import { describeError } from "../../base/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { strings } from "./strings.ts";

type Preview = Output<"home.preview">;
type HomeFile = Preview["files"][number];
type Shown = Output<"home.file">;

const DiffView = lazyPart(() => import("../../ui/diff-view.tsx"));
const tones = { added: "info", changed: "neutral", deleted: "bad", moved: "info" } as const;

type HomeFilesProps = { threadId: ThreadId; preview: Preview; onChanged: () => void };

export function HomeFiles({ threadId, preview, onChanged }: HomeFilesProps) {
  const { files, filesCount, digest } = preview;
  const { said, putBack, undo } = usePutBack(threadId, onChanged);
  return (
    <section aria-label={strings.changes(filesCount)}>
      <h3 className="mb-1 font-medium">{strings.changes(filesCount)}</h3>
      {filesCount === 0 && <p className="text-sm text-ink-2">{strings.noChanges}</p>}
      <ul className="flex flex-col gap-1">
        {files.map((file) => (
          <FileRow key={file.path} threadId={threadId} file={file} digest={digest} onPutBack={putBack} />
        ))}
      </ul>
      {filesCount > files.length && (
        <p className="text-sm text-ink-3">{strings.more(filesCount - files.length)}</p>
      )}
      <p role="status" className="mt-1 flex flex-wrap items-center gap-2 text-sm text-ink-2">
        {said?.text && <ExactText text={said.text} oneLine />}
        {said?.id !== undefined && (
          <Button small onClick={() => void undo(said.id ?? "")}>
            {strings.undo}
          </Button>
        )}
      </p>
    </section>
  );
}

type PutBack = (path: string, version: string, hunk?: number) => Promise<void>;

/** What was put back last can be undone here as long as the dialog is open, and in the thread's undo after that. */
function usePutBack(threadId: ThreadId, onChanged: () => void) {
  const [said, setSaid] = useState<{ text: string; id?: string }>();
  const attempt = async (deed: () => Promise<{ text: string; id?: string }>) => {
    try {
      setSaid(await deed());
    } catch (error) {
      setSaid({ text: describeError(error) });
    }
    onChanged();
  };
  const putBack: PutBack = (path, version, hunk) =>
    attempt(async () => {
      const at = { threadId, path, version, ...(hunk !== undefined && { hunk }) };
      const { id } = await client().call("home.putBack", at);
      return { text: strings.putBack(path), id };
    });
  const undo = (id: string) =>
    attempt(async () => {
      await client().call("undo.reverse", { threadId, id });
      return { text: strings.undone };
    });
  return { said, putBack, undo };
}

type FileRowProps = { threadId: ThreadId; file: HomeFile; digest: string; onPutBack: PutBack };

function FileRow({ threadId, file, digest, onPutBack }: FileRowProps) {
  const [open, setOpen] = useState(false);
  return (
    <li className="rounded-md border border-line bg-raised">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="cursor-pointer px-2 py-1 text-sm [overflow-wrap:anywhere]">
          <ExactText text={file.path} oneLine />{" "}
          <Badge tone={tones[file.state]}>{strings.states[file.state]}</Badge>{" "}
          <span className="text-xs text-ink-3">
            {file.movedFrom !== undefined && (
              <>
                {strings.movedFrom} <ExactText text={file.movedFrom} oneLine />{" "}
              </>
            )}
            {file.lines && `${strings.lines(file.lines.added, file.lines.removed)} `}
            {file.modeChanged && `${strings.mode} `}
            {!file.committed && strings.notCommitted}
          </span>
        </summary>
        {open && <FileChanges threadId={threadId} path={file.path} digest={digest} onPutBack={onPutBack} />}
      </details>
    </li>
  );
}

type FileChangesProps = { threadId: ThreadId; path: string; digest: string; onPutBack: PutBack };

function FileChanges({ threadId, path, digest, onPutBack }: FileChangesProps) {
  const { value, problem } = useReading(`home:${threadId}:${path}:${digest}`, () =>
    client().call("home.file", { threadId, path }),
  );
  if (problem)
    return <ProblemText className="px-2 pb-2 text-sm" lead={strings.readFailed} problem={problem} />;
  if (!value) return <p className="px-2 pb-2 text-sm text-ink-3">{strings.reading}</p>;
  return (
    <div className="flex flex-col gap-2 px-2 pb-2">
      <Suspense fallback={<p className="text-sm text-ink-3">{strings.reading}</p>}>
        <Hunks path={path} shown={value} onPutBack={onPutBack} />
      </Suspense>
      {value.why !== "link" && value.why !== "submodule" && (
        <div>
          <Button small onClick={() => void onPutBack(path, value.version)}>
            {strings.putFileBack}
          </Button>
        </div>
      )}
    </div>
  );
}

function Hunks({ path, shown, onPutBack }: { path: string; shown: Shown; onPutBack: PutBack }) {
  const { version, why, hunks } = shown;
  if (why) return <p className="text-sm text-ink-3">{strings.noText[why]}</p>;
  if (hunks.length === 0) return <p className="text-sm text-ink-3">{strings.sameText}</p>;
  return hunks.map(({ before, after, beforeLine, afterLine }, at) => (
    <section
      key={`${beforeLine}:${afterLine}`}
      aria-label={strings.hunk(at + 1, hunks.length)}
      className="flex flex-col gap-1"
    >
      <DiffView
        diff={{ path, before, after, tooLarge: false }}
        firstLine={beforeLine}
        firstAfter={afterLine}
        tooLarge=""
      />
      {hunks.length > 1 && (
        <div>
          <Button small onClick={() => void onPutBack(path, version, at)}>
            {strings.putHunkBack}
          </Button>
        </div>
      )}
    </section>
  ));
}
