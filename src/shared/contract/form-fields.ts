/** Fields of a form that an agent asks a person to fill in, and whether an answer fits them. */
import { z } from "zod";

/** As many as a card can hold for reading. */
export const mostFields = 20;
const mostOptions = 50;
const word = (most: number) => z.string().max(most).regex(/\S/);

const optionSchema = z.strictObject({
  value: z.string().max(500),
  /** As it is offered, where that is not the value itself. */
  title: word(200).optional(),
  about: z.string().max(500).optional(),
});
const optionsSchema = z
  .array(optionSchema)
  .min(1)
  .max(mostOptions)
  .refine((all) => new Set(all.map(({ value }) => value)).size === all.length, "two options are the same");

const named = {
  name: word(100),
  title: word(200).optional(),
  about: z.string().max(500).optional(),
  required: z.boolean(),
};
const from = z.number().optional();

const fieldSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    ...named,
    kind: z.literal("text"),
    /** In characters. */
    least: from,
    most: from,
    format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  }),
  z.strictObject({ ...named, kind: z.literal("number"), whole: z.boolean(), least: from, most: from }),
  z.strictObject({ ...named, kind: z.literal("yesNo") }),
  z.strictObject({ ...named, kind: z.literal("one"), options: optionsSchema }),
  /** Several of the options; least and most of them. */
  z.strictObject({ ...named, kind: z.literal("several"), options: optionsSchema, least: from, most: from }),
]);
export type FormField = z.infer<typeof fieldSchema>;

export const formFieldsSchema = z
  .array(fieldSchema)
  .min(1)
  .max(mostFields)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "two fields have one name");

/** @returns a sentence that names the field, or `undefined` where the answer fits each of them. */
export function whyNotFitting(fields: readonly FormField[], answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer))
    return "The answer is an object with a value for each field.";
  const unknown = Object.keys(answer).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return `The form has no field “${unknown.slice(0, 100)}”.`;
  for (const field of fields) {
    const value: unknown = Object.hasOwn(answer, field.name)
      ? (answer as Record<string, unknown>)[field.name]
      : undefined;
    const why = value === undefined ? (field.required ? "is missing" : undefined) : whyNotOf(field, value);
    if (why !== undefined) return `“${field.title ?? field.name}” ${why}.`;
  }
  return undefined;
}

function whyNotOf(field: FormField, value: unknown): string | undefined {
  switch (field.kind) {
    case "yesNo":
      return typeof value === "boolean" ? undefined : "is true or false";
    case "one":
      return field.options.some((option) => option.value === value) ? undefined : "is none of its options";
    case "several":
      if (!Array.isArray(value) || new Set(value).size !== value.length) return "is a list of its options";
      if (!value.every((one) => field.options.some((option) => option.value === one)))
        return "has what is none of its options";
      return outOf(field, value.length, "options");
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return "is a number";
      if (field.whole && !Number.isSafeInteger(value)) return "is a whole number";
      return outOf(field, value, "");
    case "text":
      if (typeof value !== "string") return "is a text";
      return outOf(field, [...value].length, "characters") ?? whyNotFormat(field, value);
  }
}

function outOf({ least, most }: { least?: number; most?: number }, count: number, of: string) {
  if (least !== undefined && count < least) return `has to be ${least} ${of} or more`.replace("  ", " ");
  if (most !== undefined && count > most) return `has to be ${most} ${of} or less`.replace("  ", " ");
  return undefined;
}

const formats = {
  email: z.email(),
  uri: z.url(),
  date: z.iso.date(),
  "date-time": z.iso.datetime({ offset: true }),
};

function whyNotFormat({ format }: Extract<FormField, { kind: "text" }>, value: string): string | undefined {
  if (format === undefined || formats[format].safeParse(value).success) return undefined;
  return `is no ${format}`;
}

/** What may stand in the field, for a line beside its name. */
export function describeField(field: FormField): string {
  const bounds = [
    "least" in field && field.least !== undefined && `at least ${field.least}`,
    "most" in field && field.most !== undefined && `at most ${field.most}`,
  ].filter(Boolean);
  const kind = {
    text: () => (field.kind === "text" && field.format) || "text",
    number: () => (field.kind === "number" && field.whole ? "whole number" : "number"),
    yesNo: () => "true or false",
    one: () => `one of ${writeOptions(field)}`,
    several: () => `list of some of ${writeOptions(field)}`,
  }[field.kind]();
  return [field.required ? "required" : "may be left out", kind, ...bounds].join(", ");
}

function writeOptions(field: FormField): string {
  if (!("options" in field)) return "";
  const write = ({ value, title, about }: z.infer<typeof optionSchema>) =>
    [JSON.stringify(value), title !== undefined && title !== value && `(${title})`, about && `– ${about}`]
      .filter(Boolean)
      .join(" ");
  return field.options.map(write).join("; ");
}
