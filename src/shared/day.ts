/** The days by which spending is counted: host and page must agree on when one ends. */

/** The day as the person's calendar has it, YYYY-MM-DD. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
