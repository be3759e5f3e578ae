/** Amounts of money and days as the console writes them. */
import { writeDollars } from "../../../shared/dollars.ts";

/** "$3.00", "$0.125": whole cents at least, further digits only when they are there. */
export function formatPrice(dollars: number): string {
  return dollars.toLocaleString("en", { style: "currency", currency: "USD", maximumFractionDigits: 6 });
}

/** "about $0.42": an estimate never looks more exact than it is, and something never looks like nothing. */
export function formatEstimate(dollars: number): string {
  if (dollars < 0.005) return "less than $0.01";
  return `about ${writeDollars(dollars)}`;
}

/** @param day YYYY-MM-DD. */
export function formatDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en", { dateStyle: "long", timeZone: "UTC" });
}
