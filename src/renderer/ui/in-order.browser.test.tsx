/** What runs is drawn in its order, by the boxes of its characters on a real page, and told so in the name of a button. */
import "../styles/main.css";
import { type ReactNode, StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { Button, IconButton } from "./button.tsx";
import { DiffLine } from "./diff-view.tsx";
import { ExactText } from "./exact-text.tsx";
import { ForeignText } from "./foreign-text.tsx";

const turned = "Remove a\u202egpj.sh";

function draw(node: ReactNode): HTMLElement {
  const place = document.body.appendChild(document.createElement("div"));
  place.style.cssText = "position:fixed;left:0;top:0;width:4000px";
  const root = createRoot(place);
  flushSync(() => root.render(<StrictMode>{node}</StrictMode>));
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  return place;
}

/** What a person reads from left to right: each character, and each word that is written the other way as a whole. */
function readFromLeft(place: Element): string {
  const units: { text: string; left: number }[] = [];
  const take = (node: Node, from: number, to: number) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    units.push({ text: range.toString(), left: range.getBoundingClientRect().left });
  };
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.matches("bdi")) take(node, 0, node.length);
    else for (let at = 0; at < node.length; at += 1) take(node, at, at + 1);
  }
  return units
    .sort((one, other) => one.left - other.left)
    .map(({ text }) => text)
    .join("");
}

const words = [
  "\u05d0\u05d1",
  "\u0645\u0646",
  "\u0661\u0662",
  "rm",
  "1",
  "22",
  "(",
  ")",
  "/",
  "-",
  ".",
  " ",
  "'",
  ":",
];

/** Every text of a few of them, told by numbers. */
function textOf(number: number): string {
  let text = "";
  for (let rest = number; rest > 0; rest = Math.floor(rest / words.length))
    text += words[rest % words.length];
  return text;
}

const texts = [
  "cp \u05d0\u05d0 \u05d1\u05d1 && rm \u05d2\u05d2/1/2 c",
  ...Array.from({ length: 300 }, (_, index) => textOf(1 + index * 7_919)),
];
const plain = { after: 1, kind: "add" } as const;

it("a command and a line of a change are read as they run, whatever scripts stand in them", () => {
  const place = draw(
    texts.map((text) => (
      <div key={text}>
        <p className="whitespace-pre">
          <ExactText text={text} />
        </p>
        <DiffLine
          row={{ ...plain, parts: [{ text }] }}
          numbers={["after"]}
          pieces={[{ text }]}
          crLf={false}
        />
      </div>
    )),
  );
  const drawn = [...place.querySelectorAll("p code, div > span:last-child")];
  expect(drawn).toHaveLength(2 * texts.length);
  drawn.forEach((element, index) => {
    const text = texts[Math.floor(index / 2)] ?? "";
    expect(readFromLeft(element), JSON.stringify(text)).toBe(text);
  });
});

it("words to a person stand as that person reads them", () => {
  const sentence = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd";
  const place = draw(<ForeignText text={sentence} />);
  expect(place.querySelectorAll("bdi")).toHaveLength(1);
});

it.each([
  ["name", <Button key="name" aria-label={turned} />],
  ["hint", <Button key="hint" title={turned} />],
  ["name and hint of an icon", <IconButton key="icon" label={turned} keyName={"x\u200b"} />],
])("a button spells out what turns or hides words in its %s", (_where, button) => {
  const drawn = draw(button).innerHTML;
  expect(drawn).toContain("Remove a[U+202E]gpj.sh");
  expect(drawn).not.toMatch(/[\u202e\u200b]/);
});
