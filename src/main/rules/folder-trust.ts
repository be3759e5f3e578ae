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
  eachSteeringText,
  folderPlace,
  homePlace,
  type SteeringPlace,
  type SteeringText,
} from "../agent-files/steering-texts.ts";
import { gather, giveWay } from "../base/give-way.ts";
import type { WorkspaceStore } from "../settings/workspace-store.ts";

export type FolderTrust = {
  /** Whether a file of a trusted folder says what it said when the person trusted it. */
  isAsTrusted(workspace: string, file: string, text: string | null): boolean;
  /** What a file said when the folder was trusted. */
  trustedText(workspace: string, file: string): string | undefined;
  /** Which texts of it steer, trusted or not. */
  files(workspace: string): Promise<string[]>;
  /** What a trusted folder says of what the person looked at; nothing of one that is not trusted. */
  heard(workspace: string): Promise<HeardText[]>;
  /**
   * The files of a trusted folder that changed since, by their names, and the digest that stands for all it says now; of
   * one that is not trusted no file is looked at.
   */
  lookForChanges(workspace: string): Promise<{ files: string[]; digest: string }>;
  /** What the person has to look at, and the digest that stands for it. */
  review(workspace: string): Promise<{ digest: string; files: FileDiff[]; tooMuch?: string }>;
  /** The person looked at what `review` showed. @throws ContractError `conflict` when it changed meanwhile. */
  accept(workspace: string, digest: string): Promise<void>;
  /** The person trusts a folder with what `review` showed. @throws ContractError `conflict` when it says something else. */
  trust(path: string, digest: string): Promise<Workspace>;
  /** Takes the trust back with all that was remembered of it. */
  distrust(path: string): Promise<Workspace>;
  /** What holds in a folder holds in a worktree of it: its trust, and for each text what it said when it was trusted. */
  carry(from: string, to: string): void;
  /** A folder is gone, and all that was known of it. */
  forget(path: string): void;
  /** The person's own texts as if their home were a folder; nothing where there are none and none were trusted. */
  own(): Promise<Workspace | undefined>;
};

/** What a place says: all of it, and what of it the person has not looked at. */
type Look = { texts: SteeringText[]; changed: SteeringText[]; digest: string };

/**
 * @param home where the person's own texts lie.
 * @param worktreesOf the worktrees in use that were made for a folder: they lose their trust with it
 */
export function createFolderTrust(
  database: Database.Database,
  workspaces: WorkspaceStore,
  home: string,
  worktreesOf: (folder: string) => readonly string[],
): FolderTrust {
  const texts = createTrustedTexts(database);
  const { isAsTrusted, trustedText, hasAny, remember } = texts;
  const { withdraw, ...carried } = createCarriedTrust(workspaces, texts);
  const placeOf = (place: string) => (place === ownPlace ? homePlace(home) : folderPlace(place));
  // The person's own are trusted as long as there is anything they looked at.
  const isTrusted = (place: string) => (place === ownPlace ? hasAny(ownPlace) : workspaces.isTrusted(place));
  const { look, lookForChanges, heard } = createLooks(texts, placeOf, isTrusted);
  const ownOf = async (): Promise<Workspace> => ({
    path: ownPlace,
    name: ownPlace,
    trusted: isTrusted(ownPlace),
    lastUsedAt: 0,
    changed: (await lookForChanges(ownPlace)).files,
  });

  /** What the place says, if that is what the digest stands for. */
  async function readShown(place: string, digest: string): Promise<SteeringText[]> {
    const { texts, digest: now } = await look(place);
    if (now === digest) return texts;
    throw new ContractError("conflict", "The folder changed meanwhile. Look at what it says now.");
  }
  async function setTrust(
    place: string,
    trusted: boolean,
    texts: readonly SteeringText[],
  ): Promise<Workspace> {
    const saved = place === ownPlace ? undefined : workspaces.setTrust(place, trusted);
    remember(place, texts);
    return saved ?? (await ownOf());
  }

  return {
    isAsTrusted,
    trustedText,
    files: (workspace) => gather(placeOf(workspace).files()),
    heard,
    lookForChanges,
    async review(workspace) {
      const { texts, changed, digest } = await look(workspace);
      const tooMuch = describeTooMuch(placeOf(workspace), texts);
      return {
        ...(tooMuch !== undefined && { tooMuch }),
        digest,
        files: changed.map(({ file, text }) => ({
          path: file,
          before: trustedText(workspace, file) ?? null,
          after: text,
          tooLarge: text === null,
        })),
      };
    },
    async accept(workspace, digest) {
      const texts = await readShown(workspace, digest);
      if (isTrusted(workspace)) remember(workspace, texts);
    },
    async trust(path, digest) {
      const place = realPlace(path);
      return setTrust(place, true, await readShown(place, digest));
    },
    distrust(path) {
      const real = realPlace(path);
      worktreesOf(real).forEach(withdraw);
      return setTrust(real, false, []);
    },
    ...carried,
    async own() {
      const isThere = isTrusted(ownPlace) || (await gather(placeOf(ownPlace).files())).length > 0;
      return isThere ? ownOf() : undefined;
    },
  };
}

/** Looks at what places say now, beside what they said when they were trusted. */
function createLooks(
  texts: Pick<ReturnType<typeof createTrustedTexts>, "isAsTrusted">,
  placeOf: (place: string) => SteeringPlace,
  isTrusted: (place: string) => boolean,
) {
  /** Reads a file in each step, of which there may be thousands. */
  async function look(place: string): Promise<Look> {
    const all: SteeringText[] = [];
    const changed: SteeringText[] = [];
    const hash = createHash("sha256");
    for (const one of eachSteeringText(placeOf(place))) {
      await giveWay();
      if (one === undefined) continue;
      all.push(one);
      hash.update(JSON.stringify([one.file, one.text]));
      if (!texts.isAsTrusted(place, one.file, one.text)) changed.push(one);
    }
    return { texts: all, changed, digest: hash.digest("hex") };
  }
  async function lookForChanges(place: string): Promise<{ files: string[]; digest: string }> {
    if (!isTrusted(place)) return { files: [], digest: "" };
    const { changed, digest } = await look(place);
    return { files: changed.map(({ file }) => file), digest };
  }

  return {
    look,
    lookForChanges,
    async heard(workspace: string): Promise<HeardText[]> {
      if (!isTrusted(workspace)) return [];
      const { texts, changed } = await look(workspace);
      const unheard = new Set(changed);
      return texts.flatMap((one) =>
        one.text === null || unheard.has(one) ? [] : { file: one.file, text: one.text },
      );
    },
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
