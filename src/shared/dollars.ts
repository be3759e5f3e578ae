/** Writes a sum of money the same way everywhere: "$1,234.50". @param dollars US dollars. */
export function writeDollars(dollars: number): string {
  return dollars.toLocaleString("en", { style: "currency", currency: "USD" });
}
