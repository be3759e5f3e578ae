/** Names a thread's branch after its title. */

const longestSlug = 40;
/** Branches of this app stand in a folder of their own. */
const prefix = "countersign/";

/** @returns plain letters, digits and hyphens, whatever the title is; `thread` where nothing of it remains. */
export function slugOf(title: string): string {
  const plain = title
    .slice(0, 400)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longestSlug)
    .replace(/^-+|-+$/g, "");
  return plain || "thread";
}

/** @param taken the names of all branches there are; names are one to some disks whatever their case */
export function nameBranch(title: string, taken: readonly string[]): string {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  // A branch with the name of the folder leaves no room below it.
  const start = known.has(prefix.slice(0, -1)) ? "countersign-" : prefix;
  const name = `${start}${slugOf(title)}`;
  const isFree = (each: string) =>
    !known.has(each) && ![...known].some((other) => other.startsWith(`${each}/`));
  if (isFree(name)) return name;
  let number = 2;
  while (!isFree(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}
