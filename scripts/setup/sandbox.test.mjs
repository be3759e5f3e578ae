import { expect, it } from "vitest";
import { whyNoSandbox } from "./sandbox.mjs";

const restricted = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";
const electron = "/home/me/it's here/dist/electron";
const helper = "/home/me/it's here/dist/chrome-sandbox";
const system = ({ files = {}, stats = {}, profiles = [] }) => ({
  read: (file) => files[file],
  stat: (file) => stats[file],
  profiles: () => profiles,
});

it("names the restriction of Ubuntu with the two ways out, and never the switch that drops the sandbox", () => {
  const why = whyNoSandbox("linux", electron, system({ files: { [restricted]: "1" } }));
  expect(why).toContain(".deb");
  const quoted = `'/home/me/it'\\''s here/dist/chrome-sandbox'`;
  expect(why).toContain(`sudo chown root:root ${quoted} && sudo chmod 4755 ${quoted}`);
  expect(why).not.toContain("no-sandbox");
});

it.each([
  ["/proc/sys/kernel/unprivileged_userns_clone", "0"],
  ["/proc/sys/user/max_user_namespaces", "0"],
])("knows the other ways to forbid it: %s", (file, value) => {
  expect(whyNoSandbox("linux", electron, system({ files: { [file]: value } }))).toBeDefined();
});

it.each([
  ["where nothing is restricted", "linux", { files: { [restricted]: "0" } }],
  ["where there is no such restriction", "linux", {}],
  [
    "with a set-uid helper of root",
    "linux",
    { files: { [restricted]: "1" }, stats: { [helper]: { uid: 0, mode: 0o104755 } } },
  ],
  [
    "with a profile of this very program",
    "linux",
    { files: { [restricted]: "1" }, profiles: [`profile x "${electron}" flags=(unconfined) { userns, }`] },
  ],
  ["on macOS", "darwin", { files: { [restricted]: "1" } }],
])("lets it start %s", (_where, platform, given) => {
  expect(whyNoSandbox(platform, electron, system(given))).toBeUndefined();
});

it.each([
  ["without the bit", { uid: 0, mode: 0o100755 }],
  ["of somebody else", { uid: 1000, mode: 0o104755 }],
])("does not take a helper %s for one", (_what, stats) => {
  const given = { files: { [restricted]: "1" }, stats: { [helper]: stats } };
  expect(whyNoSandbox("linux", electron, system(given))).toBeDefined();
});
