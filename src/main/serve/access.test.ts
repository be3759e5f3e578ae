/** What a one-use code is good for, and for how long. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { createAccess } from "./access.ts";

const printed = { lifetimeMs: 1_000, isExposed: false };
const exposed = { lifetimeMs: 1_000, isExposed: true };

function open() {
  let clock = 0;
  const access = createAccess(() => clock);
  const withdrawn: string[] = [];
  access.onWithdrawn((token) => withdrawn.push(token));
  return { access, withdrawn, pass: (ms: number) => (clock += ms) };
}

describe("a code", () => {
  it("is exchanged once, for a token of its own that lets in", () => {
    const { access } = open();
    const [first, second] = [access.issueCode(printed), access.issueCode(printed)];
    const token = access.exchange(first) ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(access.admits(token)).toBe(true);
    expect(access.exchange(first)).toBeUndefined();
    expect(access.exchange(second)).not.toBe(token);
    expect(access.exchanged()).toBe(2);
  });

  it("is worth nothing after its time, nor as a token", () => {
    const { access, pass } = open();
    const code = access.issueCode(printed);
    expect(access.admits(code)).toBe(false);
    pass(1_001);
    expect(access.exchange(code)).toBeUndefined();
  });

  it("that anybody could read takes its session with it when it is offered again", () => {
    const { access, withdrawn, pass } = open();
    const code = access.issueCode(exposed);
    const token = access.exchange(code) ?? "";
    pass(5_000);
    expect(access.exchange(code)).toBeUndefined();
    expect(access.admits(token)).toBe(false);
    expect(access.exchange(code)).toBeUndefined();
    expect(withdrawn).toEqual([token]);
  });

  it("brings the same page the same token again, and another page none", () => {
    const { access, withdrawn, pass } = open();
    const [mine, other] = ["m".repeat(43), "o".repeat(43)];
    const code = access.issueCode(exposed);
    const token = access.exchange(`${code} ${mine}`);
    expect(access.exchange(`${code} ${mine}`)).toBe(token);
    expect([access.admits(token ?? ""), access.exchanged(), withdrawn]).toEqual([true, 1, []]);
    expect(access.exchange(`${code} ${other}`)).toBeUndefined();
    expect(withdrawn).toEqual([token]);
    const late = access.issueCode(printed);
    const lateToken = access.exchange(`${late} ${mine}`);
    pass(1_001);
    expect([access.exchange(`${late} ${mine}`), access.admits(lateToken ?? "")]).toEqual([undefined, true]);
  });

  it("that only the terminal showed does no harm when it is opened again", () => {
    const { access, withdrawn } = open();
    const code = access.issueCode(printed);
    const token = access.exchange(code) ?? "";
    access.exchange(code);
    expect([access.admits(token), withdrawn]).toEqual([true, []]);
  });
});

it("lets nobody in by anything but a code of its own within its time, over arbitrary histories", () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("issue" as const), isExposed: fc.boolean(), lifetimeMs: fc.nat(50) }),
    fc.record({ do: fc.constant("pass" as const), ms: fc.nat(30) }),
    fc.record({ do: fc.constant("offer" as const), index: fc.nat(8) }),
    fc.record({ do: fc.constant("guess" as const), text: fc.string() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { access, pass } = open();
      const codes: { code: string; left: number; token?: string; isExposed: boolean; spent: boolean }[] = [];
      for (const each of steps) {
        if (each.do === "issue") {
          codes.push({
            code: access.issueCode(each),
            left: each.lifetimeMs,
            isExposed: each.isExposed,
            spent: false,
          });
        } else if (each.do === "pass") {
          pass(each.ms);
          for (const code of codes) code.left -= each.ms;
        } else if (each.do === "guess") {
          expect([access.exchange(each.text), access.admits(each.text)]).toEqual([undefined, false]);
        } else {
          const code = codes[each.index];
          if (code === undefined) continue;
          const token = access.exchange(code.code);
          expect(token !== undefined).toBe(code.token === undefined && code.left >= 0);
          if (code.token !== undefined && code.isExposed) code.spent = true;
          code.token ??= token;
        }
        for (const { token, spent } of codes) if (token) expect(access.admits(token)).toBe(!spent);
      }
    }),
    { numRuns: runsOf(300) },
  );
});
