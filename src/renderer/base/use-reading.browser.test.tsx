/** What a view holds of an answer while keys change, answers come late, and tries fail. */
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { useReading } from "./use-reading.ts";

type Reading = ReturnType<typeof useReading<string>>;

/** A view that reads by this hook; each read waits until the test answers it. */
function openView() {
  const asked: { key: string; answer: PromiseWithResolvers<string> }[] = [];
  let shown: Reading | undefined;
  function View({ of }: { of: string | undefined }) {
    shown = useReading(of, () => {
      const answer = Promise.withResolvers<string>();
      asked.push({ key: of ?? "", answer });
      return answer.promise;
    });
    return null;
  }
  const root = createRoot(document.createElement("div"));
  onTestFinished(() => root.unmount());
  return {
    show: (key: string | undefined) => root.render(<View of={key} />),
    /** The newest read, once it was made. */
    async read(count: number) {
      await vi.waitFor(() => expect(asked).toHaveLength(count));
      return asked.at(-1)!;
    },
    /** Resolves when each of these is as it is said, one that is not there among them. */
    shows: (what: Partial<Reading>) => vi.waitFor(() => expect({ ...shown, ...what }).toEqual(shown)),
    reload: () => shown!.reload(),
    asked,
  };
}

it("shows what was read until what is read by another key has come, and is busy meanwhile", async () => {
  const view = openView();
  view.show("one");
  (await view.read(1)).answer.resolve("first");
  await view.shows({ value: "first", busy: false });
  view.show("two");
  await view.read(2);
  await view.shows({ value: "first", busy: true });
  view.asked[1]!.answer.resolve("second");
  await view.shows({ value: "second", busy: false });
});

it("does not take an answer that comes when another key is asked for", async () => {
  const view = openView();
  view.show("one");
  const early = await view.read(1);
  view.show("two");
  const late = await view.read(2);
  late.answer.resolve("second");
  await view.shows({ value: "second", busy: false });
  early.answer.resolve("first");
  // What it would change is drawn by the second frame.
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  await view.shows({ value: "second", busy: false });
});

it("has no value after a try that failed, but the last good one, until a later try brings another", async () => {
  const view = openView();
  view.show("one");
  (await view.read(1)).answer.resolve("first");
  await view.shows({ value: "first" });
  view.reload();
  (await view.read(2)).answer.reject(new Error("The host is gone."));
  await view.shows({ value: undefined, lastGood: "first", problem: "The host is gone.", busy: false });
  view.reload();
  (await view.read(3)).answer.resolve("third");
  await view.shows({ value: "third", lastGood: "third", problem: undefined });
});

it("reads nothing without a key", async () => {
  const view = openView();
  view.show(undefined);
  await view.shows({ value: undefined, busy: false });
  view.show("one");
  expect((await view.read(1)).key).toBe("one");
});
