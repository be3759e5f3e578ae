/** What a Mac says at the start. Its programs are doubles here. */
import { describe, expect, it } from "vitest";
import { describeMissingTools, settleLanguage } from "./mac-start.ts";

const mac = (said: string | undefined, platform: NodeJS.Platform = "darwin") => ({
  platform,
  run: async () => said,
  exists: (path: string) => path === "/usr/share/locale/de_AT.UTF-8",
});

describe("the language of a Mac", () => {
  it.each([
    ["de_AT\n", "de_AT.UTF-8"],
    ["de_AT@currency=EUR\n", "de_AT.UTF-8"],
    ["en_AT\n", "en_US.UTF-8"],
    ["$(touch x)\n", "en_US.UTF-8"],
    [undefined, "en_US.UTF-8"],
  ])("that says %j is %s", async (said, lang) => {
    const env: NodeJS.ProcessEnv = {};
    await settleLanguage(env, mac(said));
    expect(env.LANG).toBe(lang);
  });

  it.each([{ LANG: "fr_FR.UTF-8" }, { LC_ALL: "C" }, { LC_CTYPE: "UTF-8" }])(
    "is left alone where %o says one",
    async (given) => {
      const env = { ...given };
      await settleLanguage(env, mac("de_AT"));
      expect(env).toEqual(given);
    },
  );

  it("is no business of other systems", async () => {
    const env: NodeJS.ProcessEnv = {};
    await settleLanguage(env, mac("de_AT", "linux"));
    expect(env).toEqual({});
  });
});

it("says that developer tools are missing, on a Mac alone", async () => {
  expect(await describeMissingTools(mac(undefined))).toContain("xcode-select --install");
  expect(await describeMissingTools(mac("/Library/Developer/CommandLineTools\n"))).toBeUndefined();
  expect(await describeMissingTools(mac(undefined, "linux"))).toBeUndefined();
});
