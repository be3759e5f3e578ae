/** The id that a name is given, in lower-case letters, digits and hyphens. */

/** @param taken ids that others have; the same name gets a number then. */
export function idOf(name: string, otherwise: string, taken: readonly string[] = []): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const id = words.replaceAll(/^-+|-+$/g, "").slice(0, 36) || otherwise;
  for (let count = 1; ; count += 1) {
    const next = count === 1 ? id : `${id}-${count}`;
    if (!taken.includes(next)) return next;
  }
}
