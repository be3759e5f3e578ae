/** What each dialect reads as, and the exact words that answer it. */
import { describe, expect, it } from "vitest";
import type { Decision } from "../../../shared/contract/decisions.ts";
import { readAsked, writeAnswer } from "./dialects.ts";

const args = { path: "a" };
const edit = { type: "edit", args: { path: "b" } } as const;
const respond = { type: "respond", answer: "use c" } as const;
const reject = { type: "reject", message: "no" } as const;
const perCallSchema = {
  anyOf: ["approve", "respond"].map((type) => ({ properties: { type: { const: type } } })),
};

const javascript = (allowedDecisions?: string[]) => ({
  actionRequests: [{ name: "rm", args, description: "d" }],
  reviewConfigs: [{ actionName: "rm", allowedDecisions }],
});
const python = (allowed_decisions: string[], named = "args") => ({
  action_requests: [{ name: "rm", [named]: args, description: "d" }],
  review_configs: [{ action_name: "rm", allowed_decisions }],
});
const perCall = { type: "tool_approval", tool_call_id: "c", name: "rm", args, description: "d" };
const inbox = {
  action_request: { action: "rm", args },
  config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true },
  description: "d",
};
const every = ["approve", "edit", "reject", "respond"];

describe("a value", () => {
  it.each([
    ["javascript", javascript(every), undefined, ["approve", "edit", "reject"]],
    ["python", python(every), undefined, every],
    ["python-old", python(every, "arguments"), undefined, ["approve", "edit", "reject"]],
    ["per-call", perCall, perCallSchema, ["approve", "respond"]],
    ["inbox", inbox, undefined, every],
    ["inbox", [inbox], undefined, every],
  ])(
    "of the dialect %s tells its actions and what may be said to them",
    (dialect, value, schema, allowed) => {
      expect(readAsked(value, schema)).toEqual({
        dialect,
        actions: [{ name: "rm", args, description: "d", allowed }],
      });
    },
  );

  it.each([
    ["javascript", javascript(), undefined],
    ["python", python([]), undefined],
    ["per-call", perCall, undefined],
  ])(
    "of the dialect %s that does not say what may be said to it can only be rejected",
    (_, value, schema) => {
      expect(readAsked(value, schema).actions.map(({ allowed }) => allowed)).toEqual([["reject"]]);
    },
  );

  it.each([
    ["a text", "right?"],
    ["nothing", null],
    ["two that ask like an inbox", [inbox, inbox]],
    [
      "both names for arguments",
      {
        ...python(every),
        action_requests: [
          { name: "a", args },
          { name: "b", arguments: args },
        ],
      },
    ],
    ["actions without what may be said", { actionRequests: [{ name: "rm", args }] }],
  ])("that is %s is a question", (_, value) => {
    expect(readAsked(value, undefined)).toMatchObject({
      dialect: "free",
      actions: [{ allowed: ["respond"] }],
    });
  });

  it("tells two calls of one tool apart by their places", () => {
    const { actionRequests } = javascript();
    const value = {
      actionRequests: [...actionRequests, ...actionRequests],
      reviewConfigs: [["approve"], ["reject"]].map((allowedDecisions) => ({
        actionName: "rm",
        allowedDecisions,
      })),
    };
    expect(readAsked(value, undefined).actions.map(({ allowed }) => allowed)).toEqual([
      ["approve"],
      ["reject"],
    ]);
  });
});

describe("an answer", () => {
  const editedBy = (name: string) => ({ name: "rm", [name]: { path: "b" } });
  it.each<[string, unknown, unknown, Decision, unknown]>([
    [
      "javascript",
      javascript(every),
      undefined,
      edit,
      { decisions: [{ type: "edit", editedAction: editedBy("args") }] },
    ],
    ["javascript", javascript(every), undefined, reject, { decisions: [{ type: "reject", message: "no" }] }],
    [
      "python",
      python(every),
      undefined,
      edit,
      { decisions: [{ type: "edit", edited_action: editedBy("args") }] },
    ],
    ["python", python(every), undefined, respond, { decisions: [{ type: "respond", message: "use c" }] }],
    [
      "python-old",
      python(every, "arguments"),
      undefined,
      edit,
      { decisions: [{ type: "edit", edited_action: editedBy("arguments") }] },
    ],
    ["per-call", perCall, perCallSchema, { type: "approve" }, { type: "approve" }],
    ["inbox", inbox, undefined, { type: "approve" }, [{ type: "accept", args: null }]],
    ["inbox", inbox, undefined, edit, [{ type: "edit", args: { action: "rm", args: { path: "b" } } }]],
    ["inbox", inbox, undefined, respond, [{ type: "response", args: "use c" }]],
    ["inbox", inbox, undefined, reject, [{ type: "ignore", args: null }]],
    ["free", "right?", undefined, { type: "respond", answer: { a: 1 } }, { a: 1 }],
  ])("in the dialect %s is worded as it takes it", (_, value, schema, decision, expected) => {
    expect(JSON.stringify(writeAnswer(readAsked(value, schema), [decision]))).toBe(JSON.stringify(expected));
  });

  it("cannot be written where one is missing or not allowed, since it would end the thread for good", () => {
    const asked = readAsked(javascript(["reject"]), undefined);
    expect(() => writeAnswer(asked, [])).toThrow("one decision for each");
    expect(() => writeAnswer(asked, [{ type: "approve" }])).toThrow("may not be said");
  });
});
