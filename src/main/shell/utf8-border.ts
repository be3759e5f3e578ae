/** Finds where a run of bytes may be cut without breaking a UTF-8 character in two. */

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** How many bytes a character that starts with `lead` has; 1 for anything that is no lead byte. */
function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** The first offset at or behind `from` that starts a character. Looks at most 3 bytes ahead, so garbage stays garbage. */
export function borderAtOrAfter(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < from + 3 && isContinuation(bytes[at])) at += 1;
  return Math.min(at, bytes.length);
}

/** The last offset at or before `to` that ends a character. */
export function borderAtOrBefore(bytes: Uint8Array, to: number): number {
  let lead = to - 1;
  while (lead > to - 4 && lead > 0 && isContinuation(bytes[lead])) lead -= 1;
  const first = bytes[lead];
  if (first === undefined || isContinuation(first)) return to;
  return lead + characterLength(first) > to ? lead : to;
}
