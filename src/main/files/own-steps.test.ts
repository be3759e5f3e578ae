/** A change of the app itself is known as one from the moment in which it can be seen on disk, and only if it is made. */
import { expect, it } from "vitest";
import { isOwnWay } from "./own-steps.ts";
import { hashBytes } from "./stored-file.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

const hashOf = (text: string) => hashBytes(Buffer.from(text));

it("is known while the effect is not over yet", async () => {
  const { root, put } = makeWorkspace();
  const path = put("a", "one");
  let known: boolean | undefined;
  const observer = {
    beforeChange: async () => {},
    afterChange: async () => {
      known = isOwnWay(path, hashOf("one"), hashOf("two"));
    },
  };
  await createWorkspaceFiles(root).write("a", "two", { observer });
  expect([known, isOwnWay(path, hashOf("one"), hashOf("two"))]).toEqual([true, true]);
});

it("is not known of a change that came to nothing", async () => {
  const { root, put } = makeWorkspace();
  const path = put("a", "one");
  const observer = {
    beforeChange: async () => {
      throw new Error("no");
    },
    afterChange: async () => {},
  };
  await expect(createWorkspaceFiles(root).write("a", "two", { observer })).rejects.toThrow("no");
  expect(isOwnWay(path, hashOf("one"), hashOf("two"))).toBe(false);
});
