/** Moves aside what a command newly made whose host died; apart from the rest, which is done where no parser is loaded. */
import { readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { setAside } from "./set-aside.ts";

const noteSchema = z
  .array(
    z.strictObject({
      folder: z.string(),
      steering: z.array(
        z.tuple([
          z.string(),
          z.strictObject({
            ...{ own: z.string(), ways: z.string() },
            ...{ to: z.string().optional(), holds: z.string().optional(), says: z.string().optional() },
          }),
        ]),
      ),
    }),
  )
  .min(1);

/** Of a command whose host died, once nothing of it runs. @returns as `setAside`; nothing where it was done */
export function setAsideLeft(file: string): { workspace: string; names: string[] } | undefined {
  let noted: z.infer<typeof noteSchema>;
  try {
    noted = noteSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
  const names = setAside(
    noted.map(({ folder, steering }) => ({
      folder,
      steering: new Map(steering.map(([path, mark]) => [path, { ...mark, to: mark.to }])),
    })),
  );
  rmSync(file, { force: true });
  return names.length === 0 ? undefined : { workspace: noted[0]!.folder, names };
}
