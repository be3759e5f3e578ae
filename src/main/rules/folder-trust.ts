/** Binds a person's trust in a folder to what the folder said when they gave it: what changed since holds back until they looked. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import type Database from "better-sqlite3";
import type { FileDiff } from "../../shared/contract/approvals.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { describeTooMuch, readSteeringTexts, type SteeringText } from "../agent-files/steering-texts.ts";
import type { WorkspaceStore } from "../settings/workspace-store.ts";

export type FolderTrust = {
  /** Whether a file of a trusted folder says what it said when the person trusted it. */
  isAsTrusted(workspace: string, file: string, text: string | null): boolean;
  /** What a file said when the folder was trusted. */
  trustedText(workspace: string, file: string): string | undefined;
  /** The files of a trusted folder that changed since, by their names; none of one that is not trusted. */
  changedFiles(workspace: string): string[];
  /** What the person has to look at, and the digest that stands for it. */
  review(workspace: string): { digest: string; files: FileDiff[]; tooMuch?: string };
  /** The person looked at what `review` showed. @throws ContractError `conflict` when it changed meanwhile. */
  accept(workspace: string, digest: string): void;
  /** The person trusts a folder with what `review` showed. @throws ContractError `conflict` when it says something else. */
  trust(path: string, digest: string): ReturnType<WorkspaceStore["setTrust"]>;
  /** Takes the trust back with all that was remembered of it. */
  distrust(path: string): ReturnType<WorkspaceStore["setTrust"]>;
};

export function createFolderTrust(database: Database.Database, workspaces: WorkspaceStore): FolderTrust {
  const find = database.prepare("SELECT text FROM trusted_texts WHERE path = ? AND file = ?").pluck();
  const add = database.prepare(
    "INSERT INTO trusted_texts (path, file, text) VALUES (?, ?, ?) ON CONFLICT (path, file) DO UPDATE SET text = excluded.text",
  );
  const forget = database.prepare("DELETE FROM trusted_texts WHERE path = ?");

  const trustedText = (workspace: string, file: string) => find.get(workspace, file) as string | undefined;
  const isAsTrusted = (workspace: string, file: string, text: string | null) =>
    text !== null && trustedText(workspace, file) === text;
  const changed = (workspace: string, texts: readonly SteeringText[]) =>
    texts.filter(({ file, text }) => !isAsTrusted(workspace, file, text));

  const remember = database.transaction((workspace: string, texts: readonly SteeringText[]) => {
    forget.run(workspace);
    for (const { file, text } of texts) if (text !== null) add.run(workspace, file, text);
  });

  return {
    isAsTrusted,
    trustedText,
    changedFiles: (workspace) =>
      workspaces.isTrusted(workspace)
        ? changed(workspace, readSteeringTexts(workspace)).map(({ file }) => file)
        : [],
    review(workspace) {
      const texts = readSteeringTexts(workspace);
      const tooMuch = describeTooMuch(workspace, texts);
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
      if (workspaces.isTrusted(workspace)) remember(workspace, texts);
    },
    trust(path, digest) {
      const real = realpathSync(path);
      const texts = readShown(real, digest);
      const saved = workspaces.setTrust(real, true);
      remember(real, texts);
      return saved;
    },
    distrust(path) {
      const real = realpathSync(path);
      const saved = workspaces.setTrust(real, false);
      remember(real, []);
      return saved;
    },
  };
}

/** What the folder says, if that is what the digest stands for. */
function readShown(workspace: string, digest: string): SteeringText[] {
  const texts = readSteeringTexts(workspace);
  if (digestOf(texts) === digest) return texts;
  throw new ContractError("conflict", "The folder changed meanwhile. Look at what it says now.");
}

function digestOf(texts: readonly SteeringText[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}
