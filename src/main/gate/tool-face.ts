/** What a server says of one of its tools: small enough to be kept with each call, so that a change of it can be shown. */

import { createHash } from "node:crypto";
import { z } from "zod";
import { withoutQuotes } from "../../shared/foreign-words.ts";

export const toolFaceSchema = z.object({
  /** Of everything the server listed; two tools that differ in anything differ here. */
  digest: z.string(),
  description: z.string(),
  /** Each argument's name with what may be given for it, as far as it fits. */
  arguments: z.record(z.string(), z.string()),
});
export type ToolFace = z.infer<typeof toolFaceSchema>;

/** The part of a listed MCP tool that a person or a model goes by. */
type Listed = { description?: string; inputSchema?: unknown; annotations?: unknown; title?: string };

const mostDescriptionChars = 2_000;
const mostArgumentChars = 200;
const mostArguments = 50;

const inputSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).catch({}),
  required: z.array(z.string()).catch([]),
});

/** The digest is of all that the server says; what is shown is cut. */
export function toFace(tool: Listed): ToolFace {
  const { description = "", inputSchema: schema, annotations, title } = tool;
  const whole = JSON.stringify([description, schema, annotations, title]);
  const { properties, required } = inputSchema.catch({ properties: {}, required: [] }).parse(schema);
  const named = Object.entries(properties).slice(0, mostArguments);
  return {
    digest: createHash("sha256").update(whole).digest("hex"),
    description: description.slice(0, mostDescriptionChars),
    arguments: Object.fromEntries(
      named.map(([name, what]) => [
        name.slice(0, mostArgumentChars),
        `${required.includes(name) ? "required " : ""}${JSON.stringify(what)}`.slice(0, mostArgumentChars),
      ]),
    ),
  };
}

/** Tools carry their face with them, from where they are listed to the gate. */
export function faceOf(tool: unknown): ToolFace | undefined {
  const carried = z.object({ metadata: z.object({ face: toolFaceSchema }) }).safeParse(tool);
  return carried.data?.metadata.face;
}

/** Between quotes that it cannot end, so that no word of the server passes for one of ours. */
const quoted = (text: string) => `“${withoutQuotes(text)}”`;

/** @returns what is different, in sentences for the person who is asked again. */
export function describeNewFace(before: ToolFace, now: ToolFace): string {
  const names = [...new Set([...Object.keys(before.arguments), ...Object.keys(now.arguments)])];
  const listed = (title: string, found: string[]) =>
    found.length > 0 ? [`${title}: ${found.join(", ")}.`] : [];
  const isIn = (face: ToolFace, name: string) => Object.hasOwn(face.arguments, name);
  const both = names.filter((name) => isIn(before, name) && isIn(now, name));
  const asNow = (name: string) => `${quoted(name)} (${quoted(now.arguments[name]!)})`;
  const changes = [
    ...(before.description === now.description
      ? []
      : [
          `It was described as ${quoted(before.description)} and is now described as ${quoted(now.description)}.`,
        ]),
    ...listed("New arguments", names.filter((name) => !isIn(before, name)).map(asNow)),
    ...listed("Arguments that are gone", names.filter((name) => !isIn(now, name)).map(quoted)),
    ...listed(
      "Arguments that changed",
      both.filter((name) => before.arguments[name] !== now.arguments[name]).map(asNow),
    ),
  ];
  return [
    "The server changed this tool after the agent was offered it, so it was not called yet.",
    ...(changes.length > 0
      ? changes
      : ["What changed is not shown here: its title, its hints, or what is longer than a card tells."]),
  ].join(" ");
}
