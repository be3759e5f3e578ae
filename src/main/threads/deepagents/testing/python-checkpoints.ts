/** Bytes of checkpoints as the deepagents CLI's saver writes them in Python, written here by its rules. */

/** MessagePack of what JSON can say; a class as LangGraph's serialiser writes it. */
export function pack(value: unknown): Buffer {
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "number") return Buffer.from([0xd2, 0, 0, value >> 8, value & 0xff]);
  if (typeof value === "string") return sized(0xdb, Buffer.from(value));
  if (Array.isArray(value)) return Buffer.concat([sized(0xdd, [], value.length), ...value.map(pack)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([sized(0xdf, [], entries.length), ...entries.flat().map(pack)]);
}
export function sized(tag: number, bytes: Uint8Array | number[], length = bytes.length): Buffer {
  const head = Buffer.from([tag, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, Buffer.from(bytes)]);
}
/** A model of pydantic: its module, class, members and the way back. */
export function made(name: string, members: object): Buffer {
  const inner = pack(["langchain_core.messages", name, members, "model_validate_json"]);
  const head = Buffer.from([0xc9, 0, 0, 0, 0, 5]);
  head.writeUInt32BE(inner.length, 1);
  return Buffer.concat([head, inner]);
}
export function stateOf(...messages: Buffer[]): Buffer {
  const list = Buffer.concat([sized(0xdd, [], messages.length), ...messages]);
  const values = Buffer.concat([sized(0xdf, [], 1), pack("messages"), list]);
  return Buffer.concat([sized(0xdf, [], 2), pack("v"), pack(4), pack("channel_values"), values]);
}

export function nested(levels: number): Buffer {
  let inner: Buffer = Buffer.from([0xc0]);
  for (let level = 0; level < levels; level += 1) {
    const head = Buffer.from([0xc9, 0, 0, 0, 0, 5]);
    head.writeUInt32BE(inner.length + 1, 1);
    inner = Buffer.concat([head, Buffer.from([0x91]), inner]);
  }
  return inner;
}
