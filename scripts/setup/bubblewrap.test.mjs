import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { whyNotConfined } from "./bubblewrap.mjs";

it("tells what is missing from what does not start", () => {
  const none = join(tmpdir(), "countersign-no-such-bwrap");
  expect(whyNotConfined([none])).toMatch(/^bubblewrap is not installed \(sudo apt install/);
  // Node knows none of bubblewrap's words.
  expect(whyNotConfined([none, process.execPath])).toMatch(
    /^bubblewrap does not start here \(.*unshare-user/s,
  );
});
