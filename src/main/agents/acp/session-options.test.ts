import type { SessionConfigOption } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { weakensAsking } from "../../../shared/contract/outer-agents.ts";
import { choose, leftBy, modeIn, modeOf, offersOf, type SessionState } from "./session-options.ts";

const select = (id: string, currentValue: string, values: string[]): SessionConfigOption => ({
  type: "select",
  id,
  name: id,
  currentValue,
  options: values.map((value) => ({ value, name: value })),
});
const modes = { currentModeId: "ask", availableModes: ["ask", "yolo"].map((id) => ({ id, name: id })) };
const options = (mode = "ask", model = "large"): SessionState => ({
  modes,
  configOptions: [
    select("mode", mode, ["ask", "yolo"]),
    {
      type: "select",
      id: "model",
      name: "Model",
      currentValue: model,
      options: [
        {
          group: "g",
          name: "G",
          options: [
            { value: "large", name: "L" },
            { value: "small", name: "S" },
          ],
        },
      ],
    },
    { type: "boolean", id: "fast", name: "Fast", currentValue: false },
  ],
});

it("offers what can be chosen, and nothing whose name a person could take for another", () => {
  expect(offersOf(options())).toEqual([
    { id: "mode", values: ["ask", "yolo"] },
    { id: "model", values: ["large", "small"] },
    { id: "fast", values: ["true", "false"] },
  ]);
  // Whoever has modes alone has them under this name.
  expect([offersOf({ modes }), modeOf({ modes }), modeOf({})]).toEqual([
    [{ id: "mode", values: ["ask", "yolo"] }],
    "ask",
    undefined,
  ]);
  const odd = [
    select("a b", "x", ["x"]),
    select("\u202emode", "x", ["x"]),
    select("ok", "x", ["x", "", "as k", "a\u202e", "y".repeat(201)]),
  ];
  expect(offersOf({ configOptions: odd })).toEqual([{ id: "ok", values: ["x"] }]);
  const many = Array.from({ length: 100 }, (_, at) =>
    select(
      `o${at}`,
      "0",
      Array.from({ length: 1_000 }, (_value, of) => String(of)),
    ),
  );
  const offers = offersOf({ modes, configOptions: many });
  expect([offers.length, Math.max(...offers.map(({ values }) => values.length))]).toEqual([20, 500]);
});

it("tells the agent what is not so yet, each in its own way, and looks whether it became so", async () => {
  const told: unknown[] = [];
  const state = await choose(options(), { mode: "ask", model: "small", fast: "true" }, async (one) => {
    told.push(one);
    return one.id === "model"
      ? options("ask", "small")
      : {
          configOptions: [
            ...options("ask", "small").configOptions!.slice(0, 2),
            { type: "boolean", id: "fast", name: "Fast", currentValue: true },
          ],
        };
  });
  expect(told).toEqual([
    { id: "model", value: "small", isMode: false },
    { id: "fast", value: true, isMode: false },
  ]);
  expect(modeOf(state)).toBe("ask");
  expect(modeOf(await choose({ modes }, { mode: "yolo" }, async () => ({})))).toBe("yolo");
});

it("takes no choice for made that is not offered, was not taken, or was undone by a later one", async () => {
  const never = () => Promise.reject(new Error("It was told."));
  await expect(choose(options(), { mode: "wild" }, never)).rejects.toThrow("it offers ask, yolo");
  await expect(choose({}, { model: "small" }, never)).rejects.toThrow("it has no model to choose");
  await expect(choose(options(), { mode: "yolo" }, async () => options("ask"))).rejects.toThrow(
    "works with ask",
  );
  const undoing = async ({ id }: { id: string }) =>
    id === "mode" ? options("yolo") : options("ask", "small");
  await expect(choose(options(), { mode: "yolo", model: "small" }, undoing)).rejects.toThrow(
    "works with ask",
  );
});

it("hears when the agent leaves what was chosen, whichever way it tells", () => {
  const modeUpdate = { sessionUpdate: "current_mode_update", currentModeId: "yolo" } as const;
  const optionUpdate = {
    sessionUpdate: "config_option_update",
    configOptions: options("yolo").configOptions!,
  } as const;
  for (const update of [modeUpdate, optionUpdate]) {
    expect(modeIn(update)).toBe("yolo");
    expect(leftBy(update, { mode: "ask" })).toContain("you chose ask for this agent, and it works with yolo");
    expect([
      leftBy(update, { mode: "yolo" }),
      leftBy(update, {}),
      leftBy(update, { model: "large" }),
    ]).toEqual([undefined, undefined, undefined]);
  }
  expect(leftBy({ sessionUpdate: "plan", entries: [] }, { mode: "ask" })).toBeUndefined();
});

it("knows the modes in which known programs ask little", () => {
  expect(
    [
      "acceptEdits",
      "auto",
      "autoEdit",
      "auto-edit",
      "YOLO",
      "build",
      "agent",
      "agent-full-access",
      "bypassPermissions",
    ].filter(weakensAsking),
  ).toHaveLength(9);
  expect(["default", "plan", "read-only", "ask"].filter(weakensAsking)).toEqual([]);
});
