/** Draws what an agent says at length: in it only what turns the words behind it is pointed out, since a text may be of any script. */
import { Children, type ReactNode } from "react";
import { revealCharacters } from "./reveal-characters.ts";
import { RevealedText } from "./revealed-text.tsx";

const turning = /[\u202a-\u202e\u2066-\u2069]/;

/** @returns the same with each text in it that holds such a character drawn so that it turns nothing. */
export function showTurns(children: ReactNode): ReactNode {
  return Children.map(children, (child) => {
    if (typeof child !== "string" || !turning.test(child)) return child;
    const parts = revealCharacters(child).map((part) =>
      turning.test(part.text) ? part : { text: part.text },
    );
    return <RevealedText parts={parts} inProse />;
  });
}
