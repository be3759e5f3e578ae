/** Which row the keys of the queue act on, whatever comes, goes, folds and comes back. */
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ApprovalId } from "../../../shared/ids.ts";
import { forgetReadings, useRead, wasRead } from "../seen/read-gauge.ts";
import {
  armingMs,
  draftOf,
  focusCurrentCard,
  forgetCards,
  isArmed,
  leaveOrder,
  makeCurrent,
  moveCurrent,
  openCard,
  rearm,
  restoreCards,
  setDraft,
  setForm,
  setNote,
  showParts,
  takeOrder,
  toggled,
  useQueue,
} from "./queue-store.ts";

const order = () => useQueue.getState().order;
const current = () => useQueue.getState().currentId;
const wantsFocus = () => useQueue.getState().focusId;
const none = new Map();
const group = (key: string, ...ids: string[]) => new Map([[key, ids as ApprovalId[]]]);

beforeEach(() => {
  useQueue.setState(useQueue.getInitialState(), true);
});

it("keeps the order of the list that stands on the screen, in whichever turn another one leaves it", () => {
  const [column, main] = [
    ["a", "b"],
    ["a", "b"],
  ];
  takeOrder(column, none, false);
  takeOrder(main, none, false);
  leaveOrder(column);
  expect(order()).toEqual(["a", "b"]);
  leaveOrder(main);
  expect(order()).toEqual([]);
  takeOrder(column, none, false);
  expect(order()).toEqual(["a", "b"]);
});

describe("when the current row leaves", () => {
  it("the nearest one after it is next, or before it at the end, with the focus where the queue had it", () => {
    const rows = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(rows, fc.nat(), fc.func(fc.boolean()), fc.boolean(), (before, pick, leaves, focus) => {
        useQueue.setState(useQueue.getInitialState(), true);
        takeOrder(before, none, false);
        const at = pick % before.length;
        makeCurrent(before[at]);
        const gone = before.filter((key, index) => index === at || leaves(key));
        const now = ["new above", ...before.filter((key) => !gone.includes(key)), "new below"];
        takeOrder(now, none, focus);
        const stays = (key: string) => !gone.includes(key);
        const expected = before.slice(at).find(stays) ?? before.slice(0, at).reverse().find(stays);
        expect(current()).toBe(expected ?? "new above");
        expect(wantsFocus()).toBe(focus && expected !== undefined ? expected : undefined);
      }),
      { numRuns: 200 },
    );
  });

  it("a row that stays is the current one wherever it stands now", () => {
    takeOrder(["a", "b", "c"], none, false);
    makeCurrent("b");
    takeOrder(["c", "x", "b"], none, true);
    expect([current(), wantsFocus()]).toEqual(["b", undefined]);
  });

  it("the first one is where nothing was", () => {
    takeOrder([], none, false);
    takeOrder(["a", "b"], none, true);
    expect([current(), wantsFocus()]).toEqual(["a", undefined]);
  });

  it("the first one is where the keys were at none of the rows, and takes no focus", () => {
    takeOrder(["b", "c"], none, false);
    useQueue.setState({ currentId: "elsewhere" });
    takeOrder(["a", "b"], none, true);
    expect([current(), wantsFocus()]).toEqual(["a", undefined]);
  });

  it("one that was folded into a group is in that group, as when the view changes", () => {
    takeOrder(["1", "x", "2"], none, false);
    makeCurrent("2");
    takeOrder(["g", "x"], group("g", "1", "2"), true);
    expect([current(), wantsFocus()]).toEqual(["g", "g"]);
  });

  it("a group that shrank to one card is that card, and the other way round", () => {
    takeOrder(["x", "g", "y"], group("g", "1", "2"), false);
    makeCurrent("g");
    takeOrder(["x", "2", "y"], none, true);
    expect([current(), wantsFocus()]).toEqual(["2", "2"]);
  });
});

describe("what was taken back", () => {
  it("is the current row once it stands in the list, and not before", () => {
    takeOrder(["a", "b", "c"], none, false);
    makeCurrent("b");
    restoreCards(["x" as ApprovalId], true);
    expect(current()).toBe("b");
    takeOrder(["a", "x", "b", "c"], none, false);
    expect([current(), wantsFocus()]).toEqual(["x", "x"]);
    takeOrder(["a", "x", "b", "c", "d"], none, false);
    makeCurrent("d");
    takeOrder(["a", "x", "b", "c", "d", "e"], none, false);
    expect(current()).toBe("d");
  });

  it("is the current row at once where it was back before the answer, and calls nobody away later", () => {
    takeOrder(["a", "b", "x"], none, false);
    restoreCards(["x" as ApprovalId], true);
    expect([current(), wantsFocus()]).toEqual(["x", "x"]);
    makeCurrent("a");
    takeOrder(["a", "b", "x", "y"], none, true);
    expect(current()).toBe("a");
  });

  it("is the current row also where the one that was leaves at the same time", () => {
    takeOrder(["a", "b", "c"], none, false);
    makeCurrent("b");
    restoreCards(["x" as ApprovalId], false);
    takeOrder(["a", "c", "x"], none, true);
    expect([current(), wantsFocus()]).toEqual(["x", undefined]);
  });

  it("is no new card, however often something is taken back", () => {
    restoreCards(["x" as ApprovalId], false);
    restoreCards(["y", "z"] as ApprovalId[], false);
    restoreCards([], true);
    expect([...useQueue.getState().restored]).toEqual(["x", "y", "z"]);
    expect(useQueue.getState().returning).toEqual({ id: "y", focus: false });
  });

  it("leads to the group that holds it, and where that is open, to its own row", () => {
    const groups = new Map([...group("g", "a", "b"), ...group("h", "x", "y")]);
    takeOrder(["g", "h"], groups, false);
    restoreCards(["y" as ApprovalId], true);
    expect(current()).toBe("h");
    takeOrder(["g", "h", "x", "y"], groups, false);
    restoreCards(["y" as ApprovalId], true);
    expect(current()).toBe("y");
  });

  it("leads to the group that it joins", () => {
    takeOrder(["a", "b"], none, false);
    restoreCards(["x" as ApprovalId], false);
    takeOrder(["a", "g", "b"], group("g", "x", "y"), false);
    expect([current(), wantsFocus()]).toEqual(["g", undefined]);
  });
});

it("moves along the rows and stops at both ends", () => {
  takeOrder(["a", "b", "c"], none, false);
  moveCurrent(-1);
  expect(current()).toBe("a");
  for (const expected of ["b", "c", "c"]) {
    moveCurrent(1);
    expect([current(), wantsFocus()]).toEqual([expected, expected]);
  }
});

describe("the current row", () => {
  const id = (text: string) => text as ApprovalId;
  const note = () => useQueue.getState().note?.text;

  it("takes keys only after a while, which begins anew with another row and not with the same", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const armings = () => useQueue.getState().armings;
    const arm = () => {
      expect(isArmed()).toBe(false);
      vi.advanceTimersByTime(armingMs - 1);
      expect(isArmed()).toBe(false);
      vi.advanceTimersByTime(1);
      expect(isArmed()).toBe(true);
    };
    takeOrder(["a", "b"], none, false);
    arm();
    const before = armings();
    makeCurrent("a", true);
    expect([isArmed(), armings()]).toEqual([true, before]);
    moveCurrent(1);
    arm();
    takeOrder(["a"], none, false);
    expect(current()).toBe("a");
    arm();
    rearm();
    arm();
    expect(armings()).toBe(before + 3);
  });

  it("keeps what was said of it, and another row begins without a word and without a second step", () => {
    takeOrder(["a", "b"], none, false);
    setNote("a", "Look at it.");
    useQueue.setState({ confirming: id("a") });
    makeCurrent("a", true);
    expect([note(), useQueue.getState().confirming, wantsFocus()]).toEqual(["Look at it.", undefined, "a"]);
    useQueue.setState({ confirming: id("a") });
    makeCurrent("b");
    expect([note(), useQueue.getState().confirming, wantsFocus()]).toEqual([undefined, undefined, undefined]);
    setNote("b", "Look at it.");
    setNote("b", undefined);
    expect(useQueue.getState().note).toBeUndefined();
  });

  it("loses what was said of a moment once that is over, and nothing that was said since", () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    takeOrder(["a"], none, false);
    setNote("a", "You were typing.", true);
    vi.advanceTimersByTime(3_000);
    expect(note()).toBe("You were typing.");
    vi.advanceTimersByTime(3_000);
    expect(note()).toBeUndefined();
    setNote("a", "You were typing.", true);
    setNote("a", "Not all of it was seen.");
    vi.advanceTimersByTime(60_000);
    expect(note()).toBe("Not all of it was seen.");
  });

  it("is shown with its card where only one pane fits", () => {
    useQueue.setState({ listOpen: true });
    openCard("a");
    expect([current(), wantsFocus(), useQueue.getState().listOpen]).toEqual(["a", "a", false]);
  });

  it("takes the focus only while it stands in the list", () => {
    expect(focusCurrentCard()).toBe(false);
    takeOrder(["a", "b"], none, false);
    expect([focusCurrentCard(), wantsFocus()]).toEqual([true, "a"]);
    useQueue.setState({ focusId: undefined });
    makeCurrent("gone");
    expect([focusCurrentCard(), wantsFocus()]).toEqual([false, undefined]);
  });

  it("is the first one when the keys move on without any", () => {
    useQueue.setState({ order: ["a", "b", "c"] });
    moveCurrent(-1);
    expect(current()).toBe("a");
    makeCurrent("gone");
    moveCurrent(1);
    expect(current()).toBe("a");
  });
});

it("what is gone takes all with it that was kept of it, and nothing of the others", () => {
  const [gone, stays] = ["a", "a:b"].map((text) => text as ApprovalId) as [ApprovalId, ApprovalId];
  const keep = (one: ApprovalId) => {
    setForm(one, "reason");
    setDraft(one, "reason", "why");
    showParts(`${one} digest:1`, 3);
    useQueue.setState((state) => ({
      problems: new Map(state.problems).set(one, "It failed."),
      selected: toggled(state.selected, one),
      folded: toggled(state.folded, one),
    }));
  };
  const kept = () => {
    const { forms, drafts, problems, shownParts, selected, folded } = useQueue.getState();
    return [forms, drafts, problems, shownParts, selected, folded].map((each) => [...each.keys()]);
  };
  const seen = (one: ApprovalId) => [one, `${one}:reason`].map((key) => wasRead(key, "1"));
  for (const one of [gone, stays]) keep(one);
  const keys = [gone, stays, `${gone}:reason`, `${stays}:reason`];
  useRead.setState({ read: new Map(keys.map((key) => [key, "1"])) });
  const before = kept();
  forgetCards([]);
  expect(kept()).toEqual(before);
  forgetCards([gone]);
  expect(kept()).toEqual([[stays], [`${stays}:reason`], [stays], [`${stays} digest:1`], [stays], [stays]]);
  expect([seen(gone), seen(stays)]).toEqual([
    [false, false],
    [true, true],
  ]);
  expect([draftOf(gone, "reason"), draftOf(stays, "reason")]).toEqual([undefined, "why"]);
  forgetReadings([stays, `${stays}:reason`]);
  setForm(stays, undefined);
  expect(useQueue.getState().forms.size).toBe(0);
});

it("a value is put in or taken out, or left as it is wanted", () => {
  const set = new Set(["a"]);
  expect([...toggled(set, "b")]).toEqual(["a", "b"]);
  expect([...toggled(set, "a")]).toEqual([]);
  expect([...toggled(set, "a", true)]).toEqual(["a"]);
  expect([...toggled(set, "b", false)]).toEqual(["a"]);
  expect([...set]).toEqual(["a"]);
});
