/** When the switch for confined commands is offered, and that nobody turns it on who was not told what it means for them. */
import { describe, expect, it } from "vitest";
import { defaultSettings, type Settings } from "../../shared/contract/console.ts";
import { createConfinedSwitch } from "./confined-switch.ts";

type World = { decided: number; wouldRun: number; trusted: boolean; why?: string; settings: Settings };

function make(part: Partial<Omit<World, "settings">> = {}) {
  const world: World = {
    decided: 10,
    wouldRun: 6,
    trusted: true,
    ...part,
    settings: { ...defaultSettings },
  };
  const made = createConfinedSwitch({
    settings: () => world.settings,
    update(patch) {
      world.settings = { ...world.settings, ...patch };
      return world.settings;
    },
    trustsAny: () => world.trusted,
    rules: {
      previewConfined: async () => ({
        decided: world.decided,
        wouldRun: world.wouldRun,
        samples: [],
        rejected: [],
      }),
    },
    uncovered: { problem: async () => world.why },
  });
  return { world, made, offered: async () => (await made.offer()).offer?.wouldRun };
}

describe("the offer to run uncovered commands confined", () => {
  it.each<[string, Partial<Omit<World, "settings">>]>([
    ["no folder is trusted", { trusted: false }],
    ["there is no sandbox", { why: "it is not installed" }],
    ["it would have spared next to nothing", { wouldRun: 2 }],
  ])("is not made where %s", async (_, part) => {
    expect(await make(part).offered()).toBeUndefined();
  });

  it("is made with the person's own figures once a folder is trusted", async () => {
    const { world, offered } = make({ trusted: false });
    expect(await offered()).toBeUndefined();
    world.trusted = true;
    expect(await offered()).toBe(6);
  });

  it("is made once more after fifty decisions, and never after two times no", async () => {
    const { world, made, offered } = make({ decided: 49 });
    await made.decline();
    expect(await offered()).toBeUndefined();
    world.decided = 50;
    expect(await offered()).toBe(6);
    await made.decline();
    world.decided = 200;
    expect(await offered()).toBeUndefined();
  });

  it("is not made while such commands run confined already", async () => {
    const { world, offered } = make();
    world.settings = { ...world.settings, uncoveredCommands: "confined" };
    expect(await offered()).toBeUndefined();
  });
});

describe("turning it on", () => {
  it("is refused until the person was told what it would have meant for all they decided", async () => {
    const { made } = make();
    expect(await made.problem()).toMatch(/your own decisions/);
    await made.preview("/home/ada/shop");
    expect(await made.problem()).toMatch(/your own decisions/);
    await made.preview(undefined);
    expect(await made.problem()).toBeUndefined();
  });

  it("is open after an offer, whose figures are these", async () => {
    const { made } = make();
    await made.offer();
    expect(await made.problem()).toBeUndefined();
  });

  it("says first that there is no sandbox, and asks for no figures where it is on already", async () => {
    const { world, made } = make({ why: "it is not installed" });
    await made.preview(undefined);
    expect(await made.problem()).toMatch(/it is not installed/);
    const on = make();
    on.world.settings = { ...world.settings, uncoveredCommands: "confined" };
    expect(await on.made.problem()).toBeUndefined();
  });
});
