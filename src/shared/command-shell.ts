/** Which program reads the commands: one value, made once, that policy, rules, prompt and shell all hold. */
import { z } from "zod";

export const commandShellSchema = z.object({
  /** Whose language commands are written in. A text is never read as the other's. */
  kind: z.enum(["bash", "powershell"]),
  file: z.string(),
  /** For people and models, such as "bash" or "Windows PowerShell". */
  name: z.string(),
  /** Such as "5.2"; absent until the program was asked, and when it does not say. */
  version: z.string().optional(),
  /** Whether it understands `exec N>&-`, with which a command drops descriptors it should not have. */
  closesDescriptors: z.boolean(),
});

export type CommandShell = z.infer<typeof commandShellSchema>;
export type ShellKind = CommandShell["kind"];

/** As a person reads it: `bash 5.2`. */
export function titleOfShell({ name, version }: Pick<CommandShell, "name" | "version">): string {
  return version === undefined ? name : `${name} ${version}`;
}
