/** Why a file stays as it is: one case for each reason that the preview gives, beside one that comes back. */
import { expect, it } from "vitest";
import { hashOfLink } from "../files/file-mark.ts";
import { unknownHash } from "../files/snapshot-messages.ts";
import { joinSteps, type NowThere, planTakeBack, type StepFile } from "./plan-take-back.ts";

const file = (hash: string, mode = 0o644) => ({ hash, mode });
const there = (hash: string, tooLarge = false): NowThere => ({
  kind: "file",
  version: file(hash),
  tooLarge,
});
const nothing: NowThere = { kind: "nothing" };
const link = file(hashOfLink(Buffer.from("elsewhere")), 0o777);

/** A step that changed the file at `/w/a` from `old` to `new`. */
const step = (part: Partial<StepFile> = {}): StepFile => ({
  ...{ step: 1, path: "/w/a", before: file("old"), kept: true, after: file("new"), mark: null },
  ...part,
});

const plan = (now: Record<string, NowThere>, ...steps: StepFile[]) => {
  const { back, stays } = planTakeBack(joinSteps(steps), ({ path }) => now[path] ?? nothing);
  return [...back.map(({ path }) => `${path} back`), ...stays.map(({ path, why }) => `${path} ${why}`)];
};

it.each<[string, NowThere, StepFile[]]>([
  ["back", there("new"), [step()]],
  ["back", there("new"), [step({ before: null })]],
  ["back", nothing, [step({ after: null })]],
  ["back", there("new"), [step(), step({ step: 2, before: file("old"), after: file("new") })]],
  ["back", there("new"), [step({ after: undefined }), step({ step: 2 })]],
  ["outside", there("new"), [step({ fixed: "outside" })]],
  ["nameless", { kind: "other" }, [step({ before: null, fixed: "nameless" })]],
  ["link", { kind: "link", version: link }, [step({ after: link })]],
  ["link", nothing, [step({ before: link, after: null })]],
  ["not-known", there("new"), [step({ after: undefined })]],
  ["not-kept", there("new"), [step({ kept: false })]],
  ["too-large", there("new", true), [step()]],
  ["changed-since", there("mine"), [step()]],
  ["changed-since", nothing, [step()]],
  ["changed-since", { kind: "other" }, [step()]],
  ["changed-since", { kind: "file", version: file("new", 0o600), tooLarge: false }, [step()]],
  ["changed-since", there("newer"), [step(), step({ step: 2, before: file("mine"), after: file("newer") })]],
  ["changed-since", there("new"), [step(), step({ step: 2, before: file("mine"), after: file("new") })]],
  ["changed-since", there(unknownHash), [step({ after: file(unknownHash) })]],
  ["in-the-way", { kind: "other" }, [step({ after: null })]],
  ["in-the-way", { kind: "nothing", below: "/w" }, [step({ after: null })]],
])("says %s", (why, now, steps) => {
  expect(plan({ "/w/a": now }, ...steps)).toEqual([`/w/a ${why}`]);
});

it("keeps what the same command made where something that it took away is not kept", () => {
  const gone = step({ kept: false, after: null });
  const made = step({ path: "/w/b", before: null });
  expect(plan({ "/w/b": there("new") }, gone, made)).toEqual(["/w/a not-kept", "/w/b holds-what-is-lost"]);
  expect(plan({ "/w/b": there("new") }, gone, { ...made, step: 2 })).toEqual(["/w/b back", "/w/a not-kept"]);
});

it("says nothing of what is as it was already, and brings permissions back without their content", () => {
  expect(plan({ "/w/a": there("old") }, step())).toEqual([]);
  expect(
    plan({ "/w/a": there("same") }, step({ before: file("same", 0o755), kept: false, after: file("same") })),
  ).toEqual(["/w/a back"]);
});

it("brings a file back, and names what somebody else had put into a folder of its name before that went too", () => {
  const file = step({ after: null });
  const below = step({ step: 2, path: "/w/a/b/c", after: null });
  expect(plan({}, file, below)).toEqual(["/w/a back", "/w/a/b/c in-the-way"]);
});
