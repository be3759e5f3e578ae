/**
 * A file that is replaced on macOS keeps what the system knows of it besides its content. Where no Mac is, the copy of the
 * mode stands in for that of tags and access lists: the new file is given none, so only a copy can have it.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { pinFolder } from "./pinned-folder.ts";
import { putFile } from "./put-file.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";

const isMac = process.platform === "darwin";
const xattr = (...args: string[]) => execFileSync("/usr/bin/xattr", args, { encoding: "utf8" }).trim();

it("keeps tags, where no Mac is shown by the mode", async () => {
  const { root, put } = makeWorkspace();
  const path = put("a.txt", "one");
  chmodSync(path, 0o640);
  if (isMac) xattr("-w", "com.example.tag", "red", path);
  const { uid, gid } = statSync(path);
  const folder = await pinFolder(root);
  onTestFinished(() => folder.close());
  const options = { owner: { uid, gid }, confirm: async () => {}, platform: "darwin" as const };
  await putFile(folder, "a.txt", Buffer.from("two"), options);
  expect(statSync(path).mode & 0o777).toBe(0o640);
  if (isMac) expect(xattr("-p", "com.example.tag", path)).toBe("red");
});
