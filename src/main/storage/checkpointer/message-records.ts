/** Builds message objects straight from their serialised records, where that is the same as the stock loader's work. */
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
} from "@langchain/core/messages";

/** A message as `toJSON` writes it. */
export type MessageRecord = {
  readonly lc: 1;
  readonly type: "constructor";
  readonly id: readonly [string, string, string];
  readonly kwargs: Record<string, unknown>;
};

type MessageConstructor = new (fields: never) => BaseMessage;

const constructors: ReadonlyMap<string, MessageConstructor> = new Map<string, MessageConstructor>(
  Object.entries({
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    HumanMessageChunk,
    RemoveMessage,
    SystemMessage,
    SystemMessageChunk,
    ToolMessage,
    ToolMessageChunk,
  }),
);

const fieldsAsTheyAre = new Map([...constructors].map(([name, type]) => [name, unchangedFields(type)]));

/** Whether a value is the serialised record of a core message class. */
export function isMessageRecord(value: unknown): value is MessageRecord {
  if (typeof value !== "object" || value === null || (value as { lc?: unknown }).lc !== 1) return false;
  const { type, id, kwargs } = value as Partial<MessageRecord>;
  return (
    type === "constructor" &&
    Array.isArray(id) &&
    id.length === 3 &&
    id[0] === "langchain_core" &&
    id[1] === "messages" &&
    constructors.has(id[2]) &&
    typeof kwargs === "object" &&
    kwargs !== null &&
    !Array.isArray(kwargs)
  );
}

/**
 * Revives a record that is freshly parsed and not used elsewhere: its `kwargs` become part of the message.
 * @returns undefined if it holds anything that only the stock loader knows how to read.
 */
export function reviveMessageRecord(record: MessageRecord): BaseMessage | undefined {
  const name = record.id[2];
  const unchanged = fieldsAsTheyAre.get(name)!;
  for (const field of Object.keys(record.kwargs)) {
    if (!unchanged.has(field) && /[-_\s]/.test(field)) return undefined;
  }
  if (!dropUndefined(record.kwargs)) return undefined;
  const Message = constructors.get(name)!;
  return new Message(record.kwargs as never);
}

/** The loader renames snake_case fields to camelCase except those that the class lists as aliases of themselves. */
function unchangedFields(type: MessageConstructor): ReadonlySet<string> {
  const aliases: Record<string, string> = {};
  for (let current: unknown = type; typeof current === "function"; current = Object.getPrototypeOf(current)) {
    if (current.prototype) Object.assign(aliases, Reflect.get(current.prototype, "lc_aliases"));
  }
  const oneWord = ["content", "id", "name", "status", "artifact"];
  return new Set([...oneWord, ...Object.keys(aliases).filter((field) => aliases[field] === field)]);
}

/** Removes the markers of undefined fields in place. @returns false if the data is more than plain JSON. */
function dropUndefined(data: object): boolean {
  for (const key of Object.keys(data)) {
    if (key === "lc" || key === "__lc_escaped__" || key === "__proto__") return false;
    const value = (data as Record<string, unknown>)[key];
    if (typeof value !== "object" || value === null) continue;
    if ((value as { lc?: unknown }).lc === 2 && (value as { type?: unknown }).type === "undefined") {
      if (Array.isArray(data)) (data as unknown[])[Number(key)] = null;
      else delete (data as Record<string, unknown>)[key];
    } else if (!dropUndefined(value)) {
      return false;
    }
  }
  return true;
}
