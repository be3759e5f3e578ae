/** What holds the program of a governed agent, and in which order. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentFencesOf } from "./agent-confinement.ts";
import { nothingMore } from "./hidden-places.ts";

function makeFolders() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-agent-fences-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [workspace, home, dataDir] = [join(root, "w"), join(root, "h"), join(root, "d")];
  const own = [join(home, ".claude"), join(home, ".claude.json")];
  for (const each of [workspace, join(home, ".ssh"), own[0]!, dataDir]) mkdirSync(each, { recursive: true });
  for (const each of [own[1]!, join(own[0]!, ".credentials.json"), join(workspace, ".env")])
    writeFileSync(each, "");
  const shown = [join(dataDir, "door.sock")];
  const fences = (change: object = {}) =>
    agentFencesOf({ workspace, home, dataDir, hidden: nothingMore, own, shown, ...change }).map((fence) =>
      fence.join(" "),
    );
  return { workspace, home, dataDir, own, fences };
}

describe.skipIf(process.platform !== "linux")("what holds the program of an agent", () => {
  it("lets it write its own files alone, and hides secrets but its own", () => {
    const { workspace, home, dataDir, own, fences } = makeFolders();
    const all = fences();
    expect(all.filter((fence) => fence.startsWith("--bind "))).toEqual(
      own.map((path) => `--bind ${path} ${path}`),
    );
    const inOrder = [
      `--bind ${own[0]} ${own[0]}`,
      `--tmpfs ${dataDir}`,
      `--ro-bind ${dataDir}/door.sock ${dataDir}/door.sock`,
      `--ro-bind ${workspace} ${workspace}`,
      `--remount-ro ${dataDir}`,
      `--ro-bind /dev/null ${workspace}/.env`,
      `--tmpfs ${home}/.ssh --remount-ro ${home}/.ssh`,
    ];
    expect(all.filter((fence) => inOrder.includes(fence))).toEqual(inOrder);
    expect(all.join("\n")).not.toContain(".credentials.json");
    expect(all).not.toContain("--unshare-net");
    expect(all).toContain("--unshare-pid");
  });

  it("hides what the person hides, around its own files and the folder too, but not their whole home", () => {
    const { workspace, home, own, fences } = makeFolders();
    const [diary, around] = [join(home, "diary"), join(home, ".config")];
    const inner = join(around, "agent");
    mkdirSync(inner, { recursive: true });
    writeFileSync(diary, "");
    const hidden = { paths: [diary, around, own[1]!, workspace], home: true };
    const all = fences({ hidden, own: [...own, inner] });
    const inOrder = [
      `--tmpfs ${around}`,
      `--bind ${inner} ${inner}`,
      `--ro-bind ${workspace} ${workspace}`,
      `--remount-ro ${around}`,
      `--ro-bind /dev/null ${diary}`,
    ];
    expect(all.filter((fence) => inOrder.includes(fence))).toEqual(inOrder);
    expect(
      all.filter((fence) => fence.includes(`/dev/null ${own[1]}`) || fence === `--tmpfs ${home}`),
    ).toEqual([]);
  });

  it("is refused for a program whose own files lie in the folder, and for a folder that holds the system's", () => {
    const { workspace, fences } = makeFolders();
    expect(() => fences({ own: [join(workspace, ".codex")] })).toThrow("keeps its own files in");
    expect(() => fences({ workspace: "/" })).toThrow("what the system needs");
  });
});
