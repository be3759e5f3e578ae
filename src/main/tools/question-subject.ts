/** What a tool or graph asks a person, as the card shows it: nothing of what came is left out. */
import { z } from "zod";
import { formFieldsSchema } from "../../shared/contract/form-fields.ts";
import { type Choice, mostChoices, type Subject } from "../../shared/contract/subjects.ts";

type Question = Extract<Subject, { kind: "question" }>;

/** In characters. A longer one is text to read and not an answer to press. */
const longestAnswer = 200;
const longestAbout = 500;

const answerSchema = z.string().max(longestAnswer).regex(/\S/);
const choiceSchema = z.union([
  answerSchema.transform((answer): Choice => ({ answer })),
  z
    .strictObject({ label: answerSchema, description: z.string().max(longestAbout).optional() })
    .transform(({ label, description }): Choice => ({ answer: label, about: description || undefined })),
]);
/** Two that read alike would be two buttons of which nobody can tell what they do. */
const choicesSchema = z
  .array(choiceSchema)
  .min(1)
  .max(mostChoices)
  .refine((choices) => new Set(choices.map(({ answer }) => answer.trim())).size === choices.length);

/** The names under which agents and graphs offer answers. */
const choiceNames = ["choices", "options"];

/** A question in plain words, with its choices, when the value has one; whatever else it is gets a generic card. */
export function toQuestionSubject(value: unknown): Question {
  if (typeof value === "string") return { kind: "question", question: value, wants: "text" };
  const asked = z.looseObject({ question: z.string() }).safeParse(value);
  if (!asked.success)
    return { kind: "question", question: JSON.stringify(value, null, 2) ?? "null", wants: "json" };
  const { question, ...rest } = asked.data;
  const { name, choices } = choicesOf(rest);
  const unread = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== name));
  const more = Object.keys(unread).length > 0 ? `\n\n${JSON.stringify(unread, null, 2)}` : "";
  return { kind: "question", question: `${question}${more}`, wants: "text", ...(choices && { choices }) };
}

/** What an agent asks with a form, or with answers that alone count; `undefined` for any other question. */
export function toFormSubject(value: unknown): Question | undefined {
  const { data: form } = z.strictObject({ question: z.string(), fields: formFieldsSchema }).safeParse(value);
  if (form) return { kind: "question", question: form.question, wants: "json", fields: form.fields };
  const { data: only } = z
    .strictObject({ question: z.string(), choices: choicesSchema, only: z.literal(true) })
    .safeParse(value);
  return only && { kind: "question", wants: "text", ...only };
}

/** What is not understood as choices stays among what is shown as it came. */
function choicesOf(rest: Record<string, unknown>): { name?: string; choices?: Choice[] } {
  for (const name of choiceNames) {
    const { data: choices } = choicesSchema.safeParse(rest[name]);
    if (choices) return { name, choices };
  }
  return {};
}
