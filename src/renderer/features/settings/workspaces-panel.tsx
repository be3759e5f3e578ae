/** The folders a person has opened and their own files for all folders, whether each is trusted, and the offer to let commands that no rule covers run confined. */
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { ownPlace, type Workspace } from "../../../shared/contract/workspaces.ts";
import { quoteName } from "../../../shared/foreign-words.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { go } from "../../base/navigation.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useAnswer } from "../../base/use-reading.ts";
import { describeError, shortenPath } from "../../base/words.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { revealCharacters } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { ErrorState } from "../../ui/unanswered.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { SettingRow } from "./setting-row.tsx";
import { otherEntries } from "./setting-table.ts";
import { strings } from "./strings.ts";

export function WorkspacesPanel() {
  const { value, problem, reload } = useAnswer("workspaces.list");
  const { label, hint } = otherEntries.workspaces;
  const shown = value ? [...(value.own ? [value.own] : []), ...value.workspaces] : [];
  return (
    <SettingRow label={label} hint={hint} below>
      {problem && <ErrorState title={strings.workspaces.failed} problem={problem} onRetry={reload} />}
      {!value && !problem && <p role="status">{common.loading}</p>}
      {value && shown.length === 0 && <p className="text-ink-2">{strings.workspaces.empty}</p>}
      {shown.length > 0 && (
        <RowList label={strings.workspaces.list}>
          {shown.map((workspace) => (
            <WorkspaceRow key={workspace.path} workspace={workspace} onChanged={reload} />
          ))}
        </RowList>
      )}
      <ConfinedOffer key={shown.filter(({ trusted }) => trusted).length} />
    </SettingRow>
  );
}

function WorkspaceRow({ workspace, onChanged }: { workspace: Workspace; onChanged: () => void }) {
  const home = useHost((state) => state.host?.home);
  const [wanted, setWanted] = useState<boolean>();
  const [looking, setLooking] = useState(false);
  const { path } = workspace;
  const isOwn = path === ownPlace;
  const name = isOwn ? strings.workspaces.ownName : workspace.name;
  async function giveTrust(digest: string) {
    await client().call("workspaces.setTrust", { path, trusted: true, digest });
    setWanted(true);
    onChanged();
  }
  async function change(trusted: boolean) {
    try {
      if (trusted) return await askForTrust();
      setWanted(false);
      await client().call("workspaces.setTrust", { path, trusted });
      onChanged();
    } catch (error) {
      setWanted(undefined);
      showProblem(common.failed, describeError(error));
    }
  }
  /** Trust is given to what was shown; a folder that says nothing has nothing to be looked at. */
  async function askForTrust() {
    const { digest, files } = await client().call("workspaces.review", { path });
    if (files.length === 0) await giveTrust(digest);
    else setLooking(true);
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2">
      {isOwn ? (
        <span className="min-w-0">{strings.workspaces.own}</span>
      ) : (
        <ExactText text={shortenPath(workspace.path, home)} oneLine className="min-w-0" />
      )}
      <Switch
        label={strings.workspaces.trusted(name)}
        checked={wanted ?? workspace.trusted}
        onChange={(trusted) => void change(trusted)}
      />
      {looking && (
        <ReviewDialog
          path={path}
          title={strings.workspaces.trustTitle(isOwn ? name : quoteName(name))}
          text={isOwn ? strings.workspaces.ownText : strings.workspaces.trustText}
          takeLabel={isOwn ? strings.workspaces.ownTrust : strings.workspaces.trust}
          onTake={giveTrust}
          onClose={() => setLooking(false)}
        />
      )}
      {(workspace.changed?.length ?? 0) > 0 && (
        <HeldBack workspace={workspace} files={workspace.changed ?? []} onAccepted={onChanged} />
      )}
    </li>
  );
}

/** Nothing where it is not offered. */
function ConfinedOffer() {
  const { value, reload } = useAnswer("rules.offerConfined");
  if (!value?.offer) return null;
  const { wouldRun, decided, rejected } = value.offer;
  const decline = async () => {
    await attempt(() => client().call("rules.declineConfined", {}));
    reload();
  };
  return (
    <section
      aria-label={strings.confinedOffer.name}
      className="flex flex-col gap-2 rounded-md border border-line bg-surface p-3 text-left text-sm text-ink-2"
    >
      <p className="flex items-start gap-2">
        <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          {strings.uncovered.would(wouldRun, decided)} {strings.confinedOffer.rejected(rejected.length)}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button small onClick={() => go({ view: "settings", id: "deciding" })}>
          {strings.confinedOffer.look}
        </Button>
        <Button small look="quiet" onClick={() => void decline()}>
          {strings.confinedOffer.decline}
        </Button>
      </div>
    </section>
  );
}

const words = strings.workspaces;

type HeldBackProps = { workspace: Workspace; files: readonly string[]; onAccepted: () => void };

/** Says that a trusted folder's rules, instructions or skills changed, and leads to what changed. */
function HeldBack({ workspace, files, onAccepted }: HeldBackProps) {
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
