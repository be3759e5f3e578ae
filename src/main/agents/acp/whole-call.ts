/** Keeps all that an agent says of a call: the protocol's package drops what it does not know, and a card would not show it. */
import { type AnyMessage, methods, type PermissionOptionKind } from "@agentclientprotocol/sdk";
import { z } from "zod";
import { deepestArguments, isDeeperThan } from "../../models/nesting.ts";

const text = z.string();
/** What the package hands on as it is. */
const knownPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("diff"), path: text, newText: text, oldText: text.nullish() }),
  z.object({ type: z.literal("terminal"), terminalId: text }),
  z.object({
    type: z.literal("content"),
    content: z.discriminatedUnion("type", [
      z.object({ type: z.literal("text"), text }),
      z.object({ type: z.enum(["image", "audio"]), data: text, mimeType: text }),
      z.object({ type: z.literal("resource_link"), name: text, uri: text }),
      z.object({
        type: z.literal("resource"),
        resource: z.union([z.object({ uri: text, text }), z.object({ uri: text, blob: text })]),
      }),
    ]),
  }),
]);
const knownPlace = z.object({ path: text });
const optionKinds: readonly unknown[] = [
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
] satisfies PermissionOptionKind[];

/**
 * The same message, in which parts, files and titles of a call that the package would drop are texts that name them. Answers of
 * a kind that nobody knows are left out of a request: it would be refused for them and never be seen, and none is ever sent.
 */
export function keepWhole(message: AnyMessage): AnyMessage {
  if (!("method" in message)) return message;
  const params = objectOf(message.params);
  if (message.method === methods.client.session.update && objectOf(params?.update)?.toolCallId !== undefined)
    return { ...message, params: { ...params, update: wholeCall(objectOf(params?.update)!) } };
  if (message.method !== methods.client.session.requestPermission || params === undefined) return message;
  const { toolCall, options } = params;
  const known = Array.isArray(options)
    ? options.filter((option) => optionKinds.includes(objectOf(option)?.kind))
    : options;
  const call = objectOf(toolCall);
  return { ...message, params: { ...params, options: known, ...(call && { toolCall: wholeCall(call) }) } };
}

function wholeCall(call: Record<string, unknown>): Record<string, unknown> {
  const { title, content, locations } = call;
  const parts = listOf(content).map((part) => (knownPart.safeParse(part).success ? part : named(part)));
  const lost = listOf(locations).filter((place) => !knownPlace.safeParse(place).success);
  if (typeof title !== "string" && !isNothing(title)) lost.push(title);
  const all = [...parts, ...lost.map(named)];
  return all.length === 0 ? call : { ...call, content: all };
}

const named = (part: unknown) => ({
  type: "content",
  content: {
    type: "text",
    text: `[Not understood here: ${isDeeperThan(part, deepestArguments) ? "nested too deep" : JSON.stringify(part)}]`,
  },
});

const isNothing = (value: unknown) => value === undefined || value === null;
const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? [...value] : isNothing(value) ? [] : [value];

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
