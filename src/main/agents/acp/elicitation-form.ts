/** Reads what an agent asks of a person by a form or an address: closed by default, so what is not understood whole is not asked. */
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationSchema,
} from "@agentclientprotocol/sdk";
import { z } from "zod";
import {
  type FormField,
  formFieldsSchema,
  mostFields,
  whyNotFitting,
} from "../../../shared/contract/form-fields.ts";
import { mostChoices } from "../../../shared/contract/subjects.ts";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";

/** What is put to the person, as the arguments of the question, and what their answer is for the agent. */
export type ReadElicitation = {
  args: Record<string, unknown>;
  /** @returns `undefined` for what does not fit what was asked. */
  toContent(answer: unknown): Content | undefined;
};
type Content = NonNullable<Extract<CreateElicitationResponse, { action: "accept" }>["content"]>;
/** Not asked; why, as the end of a sentence about the agent. */
export type Unasked = { unasked: string };

const mostSchemaBytes = 64 * 1024;
const mostMessageChars = 4_000;
const mostUrlChars = 2_000;

/** What of it can be put to a person: a question, or why none is. */
export function readElicitation(asked: CreateElicitationRequest): ReadElicitation | Unasked {
  const { message, mode } = asked;
  if (message.length > mostMessageChars) return { unasked: "with more words than a card can hold" };
  if (mode === "url" && "url" in asked) return readAddress(message, String(asked.url));
  if (mode !== "form" || !("requestedSchema" in asked)) return { unasked: "in a way that is not known here" };
  return readForm(message, asked.requestedSchema as ElicitationSchema);
}

/** The only answer to an address; nothing of it is opened from here. */
export const opened = "I have opened it";

function readAddress(message: string, given: string): ReadElicitation | Unasked {
  const url = given.length <= mostUrlChars && URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
    return { unasked: "to open what is no plain https address" };
  const question = `${message}\n\nIt asks you to open this address, which is at ${url.host}:\n${url.href}`;
  const choices = [{ label: opened, description: "Nothing is opened from here." }];
  return {
    args: { question, choices, only: true },
    toContent: (answer) => (answer === opened ? {} : undefined),
  };
}

function readForm(message: string, schema: ElicitationSchema): ReadElicitation | Unasked {
  if (jsonBytes(schema) > mostSchemaBytes) return { unasked: "with a form that is too large for a card" };
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length > mostFields) return { unasked: `with a form of more than ${mostFields} fields` };
  const required = new Set(schema.required ?? []);
  const fields = formFieldsSchema.safeParse(
    properties.map(([name, property]) => toField(name, property, required.has(name))),
  );
  if (!fields.success || [...required].some((name) => !fields.data.some((field) => field.name === name)))
    return { unasked: "with a form that is not understood here" };
  if (asksForSecret(message, fields.data)) return { unasked: "for a secret, which no form may ask for" };
  return asChoices(message, fields.data) ?? asFields(message, fields.data);
}

function asFields(question: string, fields: FormField[]): ReadElicitation {
  return {
    args: { question, fields },
    toContent: (answer) => (whyNotFitting(fields, answer) === undefined ? (answer as Content) : undefined),
  };
}

/** One choice, with at most one field for any other answer, is a question like any: its options are answers to press. */
function asChoices(question: string, fields: FormField[]): ReadElicitation | undefined {
  const [choice, other, ...more] = [...fields].sort((a) => (a.kind === "one" ? -1 : 1));
  if (choice?.kind !== "one" || choice.options.length > mostChoices || more.length > 0) return undefined;
  if (other && (other.kind !== "text" || other.required || choice.required)) return undefined;
  const labels = choice.options.map(({ value, title, about }) => ({
    label: title ?? value,
    ...(about && { description: about }),
  }));
  // Two that read alike, or say nothing, are no answers to press.
  const trimmed = labels.map(({ label }) => label.trim());
  if (new Set(trimmed).size !== labels.length || trimmed.includes("")) return undefined;
  return {
    args: { question, choices: labels, ...(!other && { only: true }) },
    toContent(answer) {
      const at = labels.findIndex(({ label }) => label === answer);
      if (at >= 0) return { [choice.name]: choice.options[at]!.value };
      if (other === undefined || typeof answer !== "string") return undefined;
      const content = { [other.name]: answer };
      return whyNotFitting(fields, content) === undefined ? content : undefined;
    },
  };
}

const common = { title: z.string().nullish(), description: z.string().nullish() };
const ignored = { default: z.unknown().optional(), _meta: z.unknown().optional() };
const bound = z.number().nullish();
const optionsSchema = z.array(
  z.strictObject({
    const: z.string(),
    title: z.string(),
    description: z.string().nullish(),
    _meta: z.unknown().optional(),
  }),
);
/** Strict: a word that is not known here could say what an answer has to be. */
const propertySchema = z.discriminatedUnion("type", [
  z.strictObject({
    ...common,
    ...ignored,
    type: z.literal("string"),
    minLength: bound,
    maxLength: bound,
    format: z.enum(["email", "uri", "date", "date-time"]).nullish(),
    enum: z.array(z.string()).nullish(),
    oneOf: optionsSchema.nullish(),
  }),
  z.strictObject({ ...common, ...ignored, type: z.literal("number"), minimum: bound, maximum: bound }),
  z.strictObject({ ...common, ...ignored, type: z.literal("integer"), minimum: bound, maximum: bound }),
  z.strictObject({ ...common, ...ignored, type: z.literal("boolean") }),
  z.strictObject({
    ...common,
    ...ignored,
    type: z.literal("array"),
    minItems: bound,
    maxItems: bound,
    items: z.union([
      z.strictObject({ type: z.literal("string"), enum: z.array(z.string()), _meta: z.unknown().optional() }),
      z.strictObject({ anyOf: optionsSchema, _meta: z.unknown().optional() }),
    ]),
  }),
]);
type Options = z.infer<typeof optionsSchema>;

/** @returns what `formFieldsSchema` takes, or `undefined`, which it does not. */
function toField(name: string, property: unknown, required: boolean): unknown {
  const read = propertySchema.safeParse(property).data;
  if (read === undefined) return undefined;
  const { title, description } = read;
  const named = { name, required, ...(title && { title }), ...(description && { about: description }) };
  switch (read.type) {
    case "boolean":
      return { ...named, kind: "yesNo" };
    case "number":
    case "integer":
      return {
        ...named,
        kind: "number",
        whole: read.type === "integer",
        ...between(read.minimum, read.maximum),
      };
    case "array": {
      const { items } = read;
      const options = "anyOf" in items ? titled(items.anyOf) : items.enum.map((value) => ({ value }));
      return { ...named, kind: "several", options, ...between(read.minItems, read.maxItems) };
    }
    case "string":
      if (read.oneOf) return { ...named, kind: "one", options: titled(read.oneOf) };
      if (read.enum) return { ...named, kind: "one", options: read.enum.map((value) => ({ value })) };
      return {
        ...named,
        kind: "text",
        ...(read.format && { format: read.format }),
        ...between(read.minLength, read.maxLength),
      };
  }
}

const between = (least?: number | null, most?: number | null) => ({
  ...(typeof least === "number" && { least }),
  ...(typeof most === "number" && { most }),
});

const titled = (options: Options) =>
  options.map(({ const: value, title, description }) => ({
    value,
    ...(title && { title }),
    ...(description && { about: description }),
  }));

/** The protocol says that no form asks for such; also where it stands in other spellings, or in camel case. */
const secretWords =
  /pass[\s_-]?(?:word|phrase|code|wd)|\bpasswd|secret|credential|api[\s_-]?key|access[\s_-]?key|private[\s_-]?key|\btokens?\b|[\s_-]?token$|\bpin\b|\botp\b|one[\s_-]?time[\s_-]?code|seed[\s_-]?phrase|\bcvv\b|card[\s_-]?number|bearer/i;

/** Only what is typed can be a secret; of a form that has nothing else, its message says as well what is typed. */
function asksForSecret(message: string, fields: readonly FormField[]): boolean {
  const typed = fields.filter(({ kind }) => kind === "text" || kind === "number");
  const words = typed.flatMap(({ name, title, about }) => [name, title ?? "", about ?? ""]);
  const isTypedOnly = typed.length === fields.length;
  return [...words, ...(isTypedOnly ? [message] : [])].some((text) =>
    secretWords.test(
      text
        .normalize("NFKC")
        .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
        .replaceAll("_", " "),
    ),
  );
}
