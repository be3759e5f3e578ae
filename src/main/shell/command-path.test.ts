import { expect, it } from "vitest";
import { plainPath, settleCommandPath } from "./late-facts.ts";

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
