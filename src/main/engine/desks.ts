/** What a person does with files beyond a call: take back, bring home, rehearse. */
import { homedir } from "node:os";
import { join } from "node:path";
import { finishCommitted } from "../gate/end-execution.ts";
import { createRehearsals } from "../rehearsal/rehearse.ts";
import type { Shell } from "../shell/shell.ts";
import type { EffectsParts } from "./effects.ts";
import { createHomeDesk } from "./home-desk.ts";
import { confinedWidth } from "./judgement.ts";
import { createRehearsalDesk, type RehearsalDeskParts } from "./rehearsal-desk.ts";
import type { Sources } from "./sources.ts";
import type { Stores } from "./stores.ts";
import type { ThreadWorktrees } from "./thread-worktrees.ts";
import { createUndoDesk, type UndoDeskParts } from "./undo-desk.ts";

type Parts = Pick<EffectsParts, "dataDir" | "commandShell" | "sandbox" | "logError"> &
  Pick<UndoDeskParts, "now"> & { stores: Stores };

type DeskParts = Pick<RehearsalDeskParts, "journal" | "view"> & {
  shell: Pick<Shell, "hold">;
  sources: Sources;
  actors: UndoDeskParts["actors"];
  worktrees: ThreadWorktrees;
};

/** @returns the desks, each with what it needs of the others */
export function createDesks(parts: Parts, { worktrees, shell, ...more }: DeskParts) {
  const { stores, dataDir, commandShell, sandbox, now, logError } = parts;
  const { journal, sources, actors } = more;
  const folder = join(dataDir, "worktrees");
  const { blobs, store } = stores.undo;
  const takeBacks = createUndoDesk({
    ...{ stores, sources, actors, worktrees: folder, now },
    onCommitted: (rehearsed) => finishCommitted(journal, rehearsed),
  });
  const home = createHomeDesk({ ...stores, takeBacks, blobs, folder, refresh: worktrees.refresh });
  const { ready, hidden } = sandbox;
  const kept = createRehearsals({
    ...{ dataDir, home: homedir(), hidden, commandShell, sandbox: ready },
    hold: (request) => shell.hold(request),
  });
  const rehearsals = createRehearsalDesk({
    ...{ ...stores, ...more, takeBacks, store, blobs, rehearsals: kept, logError },
    confinedWidth: (row) => confinedWidth(sandbox, row),
  });
  return { takeBacks, home, rehearsals };
}
