/**
 * Binds a person's trust in a folder to what the folder said when they gave it: what changed since holds back until they
 * looked. Their own texts in their home are such a place too, by the name `ownPlace` where a folder's path stands.
 */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import type Database from "better-sqlite3";
import type { FileDiff } from "../../shared/contract/approvals.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { ownPlace, type Workspace } from "../../shared/contract/workspaces.ts";
import type { HeardText } from "../agent-files/command-files.ts";
import {
  describeTooMuch,
  folderPlace,
  homePlace,
  readSteeringTexts,
  type SteeringText,
} from "../agent-files/steering-texts.ts";
import type { WorkspaceStore } from "../settings/workspace-store.ts";

export type FolderTrust = {
  /** Whether a file of a trusted folder says what it said when the person trusted it. */
  isAsTrusted(workspace: string, file: string, text: string | null): boolean;
  /** What a file said when the folder was trusted. */
  trustedText(workspace: string, file: string): string | undefined;
  /** Which texts of it steer, trusted or not. */
  files(workspace: string): string[];
  /** What a trusted folder says of what the person looked at; nothing of one that is not trusted. */
  heard(workspace: string): HeardText[];
  /** The files of a trusted folder that changed since, by their names; none of one that is not trusted. */
  changedFiles(workspace: string): string[];
  /** What the person has to look at, and the digest that stands for it. */
  review(workspace: string): { digest: string; files: FileDiff[]; tooMuch?: string };
  /** The person looked at what `review` showed. @throws ContractError `conflict` when it changed meanwhile. */
  accept(workspace: string, digest: string): void;
  /** The person trusts a folder with what `review` showed. @throws ContractError `conflict` when it says something else. */
  trust(path: string, digest: string): Workspace;
  /** Takes the trust back with all that was remembered of it. */
  distrust(path: string): Workspace;
  /** What holds in a folder holds in a worktree of it: its trust, and for each text what it said when it was trusted. */
  carry(from: string, to: string): void;
  /** A folder is gone, and all that was known of it. */
  forget(path: string): void;
  /** The person's own texts as if their home were a folder; nothing where there are none and none were trusted. */
  own(): Workspace | undefined;
};

/**
 * @param home where the person's own texts lie.
 * @param worktreesOf the worktrees in use that were made for a folder: they lose their trust with it
 */
export function createFolderTrust(
  database: Database.Database,
  workspaces: WorkspaceStore,
  home: string,
  worktreesOf: (folder: string) => readonly string[] = () => [],
): FolderTrust {
  const texts = createTrustedTexts(database);
  const { isAsTrusted, trustedText, hasAny, remember } = texts;
  const { withdraw, ...carried } = createCarriedTrust(workspaces, texts);
  const placeOf = (place: string) => (place === ownPlace ? homePlace(home) : folderPlace(place));
  const readTexts = (place: string) => readSteeringTexts(placeOf(place));
  // The person's own are trusted as long as there is anything they looked at.
  const isTrusted = (place: string) => (place === ownPlace ? hasAny(ownPlace) : workspaces.isTrusted(place));
  const changed = (place: string, texts: readonly SteeringText[]) =>
    texts.filter(({ file, text }) => !isAsTrusted(place, file, text));
  const changedFiles = (place: string) =>
    isTrusted(place) ? changed(place, readTexts(place)).map(({ file }) => file) : [];
  const ownOf = (): Workspace => ({
    path: ownPlace,
    name: ownPlace,
    trusted: isTrusted(ownPlace),
    lastUsedAt: 0,
    changed: changedFiles(ownPlace),
  });

  /** What the place says, if that is what the digest stands for. */
  function readShown(place: string, digest: string): SteeringText[] {
    const texts = readTexts(place);
    if (digestOf(texts) === digest) return texts;
    throw new ContractError("conflict", "The folder changed meanwhile. Look at what it says now.");
  }
  function setTrust(place: string, trusted: boolean, texts: readonly SteeringText[]): Workspace {
    const saved = place === ownPlace ? undefined : workspaces.setTrust(place, trusted);
    remember(place, texts);
    return saved ?? ownOf();
  }

  return {
    isAsTrusted,
    trustedText,
    files: (workspace) => placeOf(workspace).files(),
    heard: (workspace) =>
      isTrusted(workspace)
        ? readTexts(workspace).flatMap(({ file, text }) =>
            text !== null && isAsTrusted(workspace, file, text) ? [{ file, text }] : [],
          )
        : [],
    changedFiles,
    review(workspace) {
      const texts = readTexts(workspace);
      const tooMuch = describeTooMuch(placeOf(workspace), texts);
      return {
        ...(tooMuch !== undefined && { tooMuch }),
        digest: digestOf(texts),
        files: changed(workspace, texts).map(({ file, text }) => ({
          path: file,
          before: trustedText(workspace, file) ?? null,
          after: text,
          tooLarge: text === null,
        })),
      };
    },
    accept(workspace, digest) {
      const texts = readShown(workspace, digest);
      if (isTrusted(workspace)) remember(workspace, texts);
    },
    trust(path, digest) {
      const place = realPlace(path);
      return setTrust(place, true, readShown(place, digest));
    },
    distrust(path) {
      const real = realPlace(path);
      worktreesOf(real).forEach(withdraw);
      return setTrust(real, false, []);
    },
    ...carried,
    own: () => (isTrusted(ownPlace) || placeOf(ownPlace).files().length > 0 ? ownOf() : undefined),
  };
}

/** Trust in worktrees, which may be gone from the disk already. */
function createCarriedTrust(workspaces: WorkspaceStore, texts: ReturnType<typeof createTrustedTexts>) {
  function forget(path: string): void {
    workspaces.forget(path);
    texts.remember(path, []);
  }
  return {
    forget,
    carry(from: string, to: string): void {
      if (!workspaces.isTrusted(from)) return;
      workspaces.setTrust(to, true);
      texts.copy(from, to);
    },
    /** It stays in the list of folders. */
    withdraw(path: string): void {
      forget(path);
      workspaces.touch(path);
    },
  };
}

/** What each place said when it was trusted, in the database. */
function createTrustedTexts(database: Database.Database) {
  const find = database.prepare("SELECT text FROM trusted_texts WHERE path = ? AND file = ?").pluck();
  const add = database.prepare(
    "INSERT INTO trusted_texts (path, file, text) VALUES (?, ?, ?) ON CONFLICT (path, file) DO UPDATE SET text = excluded.text",
  );
  const has = database.prepare("SELECT 1 FROM trusted_texts WHERE path = ? LIMIT 1").pluck();
  const forget = database.prepare("DELETE FROM trusted_texts WHERE path = ?");
  const copyAll = database.prepare(
    "INSERT INTO trusted_texts (path, file, text) SELECT ?, file, text FROM trusted_texts WHERE path = ?",
  );
  return {
    trustedText: (place: string, file: string) => find.get(place, file) as string | undefined,
    isAsTrusted: (place: string, file: string, text: string | null) =>
      text !== null && find.get(place, file) === text,
    hasAny: (place: string) => has.get(place) === 1,
    /** The other place says nothing of its own. */
    copy: database.transaction((from: string, to: string) => {
      forget.run(to);
      copyAll.run(to, from);
    }),
    /** Takes the place of all that was remembered of it. */
    remember: database.transaction((place: string, texts: readonly SteeringText[]) => {
      forget.run(place);
      for (const { file, text } of texts) if (text !== null) add.run(place, file, text);
    }),
  };
}

const realPlace = (path: string) => (path === ownPlace ? path : realpathSync(path));

function digestOf(texts: readonly SteeringText[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}
