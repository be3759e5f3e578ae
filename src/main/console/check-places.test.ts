/** What a person may name for confined commands: folders that are there and hold nothing that has to be kept from them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createPlaceCheck } from "./handlers/console.ts";

function makePlaces() {
  const root = realpathSync(mkdtempSync("/var/tmp/countersign-places-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [home, dataDir, named] = [join(root, "home"), join(root, "home/data"), join(root, "home/named")];
  for (const each of [dataDir, named]) mkdirSync(each, { recursive: true });
  writeFileSync(join(home, "file"), "");
  symlinkSync(named, join(root, "link"));
  return { root, home, dataDir, named, check: createPlaceCheck({ home, dataDir }) };
}

it.skipIf(process.platform !== "linux")(
  "keeps the real path of a folder, once, and leaves what nobody named",
  () => {
    const { root, named, check } = makePlaces();
    expect(check({ writableFolders: [named, join(root, "link")] })).toEqual({ writableFolders: [named] });
    expect(check({ hiddenPaths: ["/nowhere"] })).toEqual({ hiddenPaths: ["/nowhere"] });
    expect(check({})).toEqual({});
  },
);

it.skipIf(process.platform !== "linux")(
  "refuses what would open the home, the records or the system, and what is no folder",
  () => {
    const { root, home, dataDir, check } = makePlaces();
    const bad = [
      "/",
      root,
      home,
      dataDir,
      "/usr/local",
      "/etc",
      "/tmp",
      join(home, "file"),
      join(home, "gone"),
      "named",
    ];
    for (const path of bad)
      expect(() => check({ writableFolders: [path] }), path).toThrow(
        expect.objectContaining({ code: "invalid-input", field: "writableFolders" }),
      );
    const apart = createPlaceCheck({ home, dataDir: join(root, "data") });
    expect(() => apart({ writableFolders: [home] })).toThrow(/whole home/);
    expect(() => check({ hiddenPaths: ["/a", "b"] })).toThrow(
      expect.objectContaining({ field: "hiddenPaths" }),
    );
  },
);
