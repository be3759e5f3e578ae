import { describe, expect, it } from "vitest";
import { MessagePackError, readMessagePack } from "./msgpack.ts";

describe("MessagePack", () => {
  it.each<[number[], unknown]>([
    [[0x05], 5],
    [[0xff], -1],
    [[0xcd, 0x01, 0x00], 256],
    [[0xd0, 0x80], -128],
    [[0xd3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe], -2],
    [[0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], 1.5],
    [[0xa2, 0x61, 0x62], "ab"],
    [
      [0x92, 0xc3, 0xc0],
      [true, null],
    ],
    [[0x81, 0xa1, 0x61, 0xc4, 0x01, 0x07], { a: new Uint8Array([7]) }],
  ])("%j", (bytes, value) => {
    expect(readMessagePack(new Uint8Array(bytes))).toEqual(value);
  });

  it("has an end, few levels, and no byte without a meaning", () => {
    const deep = [...Array<number>(200).fill(0x91), 0xc0];
    const many = [0xdd, 0x00, 0x1e, 0x84, 0x80, ...Array<number>(2_000_000).fill(0xc0)];
    for (const bytes of [many, [], [0xc1], [0x01, 0x02], [0xd9, 0x05, 0x61], deep])
      expect(() => readMessagePack(new Uint8Array(bytes))).toThrow(MessagePackError);
  });
});
