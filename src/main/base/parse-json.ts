/** Reads JSON that others wrote. @returns nothing where it is none; `null` is a value of JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
