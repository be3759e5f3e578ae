/** Settings as a JSON file: what is written, and what a file that is read back would change. */
import { type Settings, settingsSchema } from "../../../shared/contract/console.ts";
import { type FieldProblem, nameProblems } from "../../../shared/contract/field-problem.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { strings } from "./strings.ts";

/** Whether the first steps were taken belongs to this computer, not to the file. */
const fileSchema = settingsSchema.omit({ firstRunDone: true, confinedOffer: true }).partial();

type Read = { change: Partial<Settings> } | { problems: FieldProblem[] };

export function writeSettingsFile({
  firstRunDone: _own,
  confinedOffer: _offer,
  ...settings
}: Settings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** @returns only the fields whose value differs from the current one, or what is wrong with which field. */
export function readSettingsFile(text: string, current: Settings): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    return { problems: [{ field: "", message: strings.data.notJson(reason) }] };
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) return { problems: nameProblems(parsed.error) };
  const changed = Object.entries(parsed.data).filter(
    ([name, next]) => JSON.stringify(next) !== JSON.stringify(current[name as keyof Settings]),
  );
  return { change: Object.fromEntries(changed) };
}
