/** Binds a person's trust in a folder to what the folder said when they gave it: what changed since holds back until they looked. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import type Database from "better-sqlite3";
import type { FileDiff } from "../../shared/contract/approvals.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { readSteeringTexts, type SteeringText } from "../agent-files/steering-texts.ts";
import type { WorkspaceStore } from "../settings/workspace-store.ts";

export type FolderTrust = {
  /** Whether a file of a trusted folder says what it said when the person trusted it. */
  isAsTrusted(workspace: string, file: string, text: string | null): boolean;
  /** What a file said when the folder was trusted. */
  trustedText(workspace: string, file: string): string | undefined;
  /** The files of a trusted folder that changed since, by their names; none of one that is not trusted. */
  changedFiles(workspace: string): string[];
  /** What the person has to look at, and the digest that stands for it. */
  review(workspace: string): { digest: string; files: FileDiff[] };
  /** The person looked at what `review` showed. @throws ContractError `conflict` when it changed meanwhile. */
  accept(workspace: string, digest: string): void;
  /** Trusts a folder with what it says now, or takes the trust back with all that was remembered of it. */
  setTrust(path: string, trusted: boolean): ReturnType<WorkspaceStore["setTrust"]>;
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
      return {
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
      const texts = readSteeringTexts(workspace);
      if (digestOf(texts) !== digest)
        throw new ContractError("conflict", "The folder changed again. Look at the change as it is now.");
      if (workspaces.isTrusted(workspace)) remember(workspace, texts);
    },
    setTrust(path, trusted) {
      const real = realpathSync(path);
      const saved = workspaces.setTrust(real, trusted);
      remember(real, trusted ? readSteeringTexts(real) : []);
      return saved;
    },
  };
}

function digestOf(texts: readonly SteeringText[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}
