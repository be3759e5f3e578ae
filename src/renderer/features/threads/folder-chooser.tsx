/** Chooses a folder where the system has no dialog for it: used before, or by walking. */
import { ArrowUp, Folder, FolderClock, HardDrive } from "lucide-react";
import { useEffect, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { Workspace } from "../../../shared/contract/workspaces.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { describeError, lastSegment } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { startAgent } from "../agents/list-parts.tsx";
import { useFolderChooser } from "./create-thread.ts";
import { strings } from "./strings.ts";

type Listing = Output<"workspaces.browse">;
const row =
  "flex w-full items-center gap-2 rounded-sm px-2 py-1 text-left hover:bg-hover [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-ink-3";

/** Walks through folders, from the one used last. `problem` is of the last step, or of what `setProblem` was told. */
function useWalk() {
  const [recent, setRecent] = useState<readonly Workspace[]>([]);
  const [path, setPath] = useState("");
  const [listing, setListing] = useState<Listing>();
  const [problem, setProblem] = useState<string>();

  async function visit(to: string) {
    setPath(to);
    try {
      const found = await client().call("workspaces.browse", { path: to });
      setListing(found);
      setPath(found.path);
      setProblem(undefined);
    } catch (error) {
      setProblem(describeError(error));
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when it opens
  useEffect(() => {
    client()
      .call("workspaces.list", {})
      .then(({ workspaces, home }) => {
        setRecent(workspaces.slice(0, 6));
        return visit(workspaces[0]?.path ?? home);
      })
      .catch((error) => setProblem(describeError(error)));
  }, []);

  return { recent, path, setPath, listing, problem, setProblem, visit };
}

/** Opens the folder whose path stands in the field, whether listed or typed, and begins a thread there or hands it on. */
export default function FolderChooser() {
  const { recent, path, setPath, listing, problem, setProblem, visit } = useWalk();
  const { onChosen } = useFolderChooser();
  const close = () => useFolderChooser.setState({ open: false, onChosen: undefined });

  async function open() {
    try {
      const workspace = await client().call("workspaces.open", { path });
      close();
      if (onChosen) onChosen(workspace.path);
      else await startAgent({ workspace: workspace.path });
    } catch (error) {
      setProblem(describeError(error));
    }
  }
  const { folder } = strings;
  return (
    <Dialog
      wide
      open
      onClose={close}
      title={folder.title}
      description={folder.text}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button look="strong" disabled={!path} onClick={() => void open()}>
            {folder.go}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3 p-0.5"
        onSubmit={(event) => {
          event.preventDefault();
          void visit(path);
        }}
      >
        <TextField
          label={folder.path}
          value={path}
          problem={problem}
          onChange={(event) => setPath(event.target.value)}
        />
        {listing && !listing.writable && <p className="text-warn">{folder.readOnly}</p>}
        <div className="grid grid-cols-2 gap-4 max-[640px]:grid-cols-1">
          <FolderList
            title={folder.inside}
            empty={folder.none}
            folders={listing?.folders ?? []}
            onPick={visit}
          >
            {listing?.parent && (
              <button type="button" className={row} onClick={() => void visit(listing.parent ?? "/")}>
                <ArrowUp aria-hidden />
                {folder.up}
              </button>
            )}
            {listing?.drives.map((drive) => (
              <button key={drive} type="button" className={row} onClick={() => void visit(drive)}>
                <HardDrive aria-hidden />
                {folder.drive(drive)}
              </button>
            ))}
          </FolderList>
          {recent.length > 0 && (
            <FolderList title={folder.recent} folders={recent.map((one) => one.path)} onPick={visit} whole />
          )}
        </div>
      </form>
    </Dialog>
  );
}

type FolderListProps = {
  title: string;
  folders: readonly string[];
  onPick: (path: string) => Promise<void>;
  empty?: string;
  whole?: boolean;
  children?: React.ReactNode;
};

function FolderList({ title, folders, onPick, empty, whole = false, children }: FolderListProps) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-sm font-medium text-ink-2">{title}</h3>
      <div className="h-56 overflow-y-auto rounded-md border border-line p-1">
        {children}
        {folders.length === 0 && <p className="px-2 py-1 text-ink-3">{empty}</p>}
        {folders.map((path) => (
          <button key={path} type="button" className={row} onClick={() => void onPick(path)}>
            {whole ? <FolderClock aria-hidden /> : <Folder aria-hidden />}
            <ForeignText text={whole ? path : lastSegment(path)} className="min-w-0" />
          </button>
        ))}
      </div>
    </div>
  );
}
