/** The file of keys: what the keychain sealed and what browser mode keeps in the clear, side by side, so that neither writes over the other. */
import { z } from "zod";
import type { ProviderId } from "../../shared/contract/models.ts";
import { readOrSetAside } from "./read-or-set-aside.ts";
import { writeAtomically } from "./settings-store.ts";

/** Whose key it is: a provider of models, a search service, or a remote server. */
export type KeyName = ProviderId | "tavily" | `server:${string}`;

const entries = z.record(z.string(), z.string());
const fileSchema = z.strictObject({
  version: z.literal(2),
  /** In base64, by the name of whose it is. */
  sealed: entries,
  plain: entries,
});
type File = z.infer<typeof fileSchema>;

/** One door wrote the whole of it. */
const olderSchema = z.strictObject({
  version: z.literal(1),
  storage: z.enum(["keychain", "file"]),
  keys: entries,
});

/** Every change is on disk when its call returns. @throws when the file exists but cannot be moved aside. */
export function openKeyFile(path: string) {
  const { value, warnings } = readOrSetAside(path, "file of keys", parse, { isSecret: true });
  let file = value;

  function save(change: Partial<Pick<File, "sealed" | "plain">>): void {
    const next = { ...file, ...change };
    writeAtomically(path, `${JSON.stringify(next, null, 2)}\n`);
    file = next;
  }

  return {
    warnings,
    sealed: (name: KeyName): string | undefined => file.sealed[name],
    plain: (name: KeyName): string | undefined => file.plain[name],
    setSealed: (name: KeyName, text: string) => save({ sealed: { ...file.sealed, [name]: text } }),
    setPlain: (name: KeyName, key: string) => save({ plain: { ...file.plain, [name]: key } }),
    remove(name: KeyName): void {
      const { [name]: sealed, ...otherSealed } = file.sealed;
      const { [name]: plain, ...otherPlain } = file.plain;
      if (sealed !== undefined || plain !== undefined) save({ sealed: otherSealed, plain: otherPlain });
    },
  };
}

function parse(content: unknown): File {
  const older = olderSchema.safeParse(content);
  if (older.success)
    return {
      version: 2,
      sealed: {},
      plain: {},
      [older.data.storage === "keychain" ? "sealed" : "plain"]: older.data.keys,
    };
  return fileSchema.parse({
    version: 2,
    sealed: {},
    plain: {},
    ...z.record(z.string(), z.unknown()).parse(content),
  });
}
