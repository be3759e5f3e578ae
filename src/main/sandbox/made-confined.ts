/** What a confined command newly made that steers agents or other programs: the name it is kept under, and how that is told. */
import { firstThatFit } from "../base/first-that-fit.ts";
import { visibleText } from "../base/visible-text.ts";

const ending = ".made-confined";

/** Nothing obeys it under this name. @param number from 1 on, for the first that is free */
export const asideName = (path: string, number: number) =>
  `${path}${ending}${number > 1 ? `-${number}` : ""}`;

/** What it was called when it was made; a name that nothing was moved to is its own. */
export const nameBefore = (path: string) => path.replace(/\.made-confined(?:-\d+)?$/, "");

/** In a sentence; a repository chose the names of its folders. @param names as they are now */
export function listAside(names: readonly string[]): string {
  const shown = firstThatFit(names);
  const more = names.length - shown.length;
  return [...shown.map(visibleText), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** For the person, who alone takes any of it in. */
export function tellAside(names: readonly string[]): string {
  return `The command newly made what steers agents or other programs. It was moved aside, so nothing obeys it; it is now ${listAside(names)}. To take it in, look at what it says and rename it without “${ending}”; or delete it.`;
}
