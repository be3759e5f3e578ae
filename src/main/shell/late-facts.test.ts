/** What a Mac says at the start, whose programs are doubles here, and where commands look for programs. */
import { describe, expect, it } from "vitest";
import { describeMissingTools, plainPath, settleCommandPath, settleLanguage } from "./late-facts.ts";

type Mac = {
  platform?: NodeJS.Platform;
  /** What its settings say of its language. */
  locale?: string;
  /** Where its developer tools were put, and whether they are still there. */
  tools?: string;
  removed?: boolean;
};

/**
 * A Mac by what its programs answer. Those that need developer tools are stand-ins of Apple's there, which open a dialog
 * where the tools are missing; whoever asks such a one has done what is to be warned of.
 */
function playMac({ platform = "darwin", locale, tools, removed = false }: Mac) {
  const dialogs: string[] = [];
  const present = tools !== undefined && !removed;
  const programs: Record<string, (args: string) => string | undefined> = {
    "/usr/bin/defaults": (args) => (args === "read -g AppleLocale" ? locale : undefined),
    "/usr/bin/xcode-select": (args) => (/^(?:-p|--print-path)$/.test(args) ? tools : undefined),
  };
  const files = new Set([
    "/usr/share/locale/de_AT.UTF-8",
    ...(present ? [`${tools?.trim()}/usr/bin/xcrun`] : []),
  ]);
  return {
    dialogs,
    platform,
    exists: (path: string) => files.has(path),
    run: async (file: string, args: readonly string[]) => {
      const program = programs[file];
      if (program !== undefined) return program(args.join(" "));
      if (!present) dialogs.push([file, ...args].join(" "));
      return present ? "" : undefined;
    },
  };
}

describe("the language of a Mac", () => {
  it.each([
    ["de_AT\n", "de_AT.UTF-8"],
    ["de_AT@currency=EUR\n", "de_AT.UTF-8"],
    ["en_AT\n", "en_US.UTF-8"],
    ["$(touch x)\n", "en_US.UTF-8"],
    [undefined, "en_US.UTF-8"],
  ])("that says %j is %s", async (said, lang) => {
    const env: NodeJS.ProcessEnv = {};
    await settleLanguage(env, playMac({ locale: said }));
    expect(env.LANG).toBe(lang);
  });

  it.each([{ LANG: "fr_FR.UTF-8" }, { LC_ALL: "C" }, { LC_CTYPE: "UTF-8" }])(
    "is left alone where %o says one",
    async (given) => {
      const env = { ...given };
      await settleLanguage(env, playMac({ locale: "de_AT" }));
      expect(env).toEqual(given);
    },
  );

  it("is no business of other systems", async () => {
    const env: NodeJS.ProcessEnv = {};
    await settleLanguage(env, playMac({ locale: "de_AT", platform: "linux" }));
    expect(env).toEqual({});
  });
});

describe("developer tools", () => {
  const tools = "/Library/Developer/CommandLineTools\n";

  it.each<[string, Mac]>([
    ["were never installed", {}],
    ["are where they were, and gone", { tools, removed: true }],
    ["are nowhere", { tools: "\n" }],
  ])("that %s are told of, without the dialog that a try of them opens", async (_, parts) => {
    const mac = playMac(parts);
    expect(await describeMissingTools(mac)).toContain("xcode-select --install");
    expect(mac.dialogs).toEqual([]);
  });

  it("that are there, or on another system, are no matter", async () => {
    expect(await describeMissingTools(playMac({ tools }))).toBeUndefined();
    expect(await describeMissingTools(playMac({ platform: "linux" }))).toBeUndefined();
  });
});

async function settle(asked: Parameters<typeof settleCommandPath>[0]) {
  const env = { PATH: "/bin" };
  const told: unknown[] = [];
  await settleCommandPath(asked, env, (path) => told.push(path));
  return { path: env.PATH, told };
}

it("takes the login shell's PATH and says so", async () => {
  const { path, told } = await settle(Promise.resolve({ path: "/opt/bin:/bin" }));
  expect(path).toBe("/opt/bin:/bin");
  expect(told).toEqual([{ source: "login-shell", path: "/opt/bin:/bin", problem: null }]);
});

it.each([
  ["gave none", async () => ({ problem: "zsh did not answer within 5 s" }), "zsh did not answer within 5 s"],
  ["could not be asked", () => Promise.reject(new Error("no")), "Error: no"],
])("keeps the plain PATH and says why where the shell %s", async (_how, asked, problem) => {
  expect(await settle(asked())).toEqual({
    path: "/bin",
    told: [{ source: "as-started", path: "/bin", problem }],
  });
});

it("leaves everything as it is where nobody was asked", async () => {
  expect(await settle(undefined)).toEqual({ path: "/bin", told: [] });
  expect(plainPath({})).toEqual({ source: "as-started", path: "", problem: null });
});
