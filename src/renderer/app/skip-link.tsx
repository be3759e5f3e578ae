/** The first thing Tab reaches: past the frame to what the person came for. Seen only while it has the focus. */
import { strings } from "../base/strings.ts";

export function SkipLink() {
  return (
    <button
      type="button"
      onClick={skip}
      className="sr-only focus:not-sr-only focus:fixed! focus:top-2 focus:left-2 focus:z-50 focus:min-h-8 focus:rounded-md focus:border focus:border-line-strong focus:bg-raised focus:px-3 focus:py-1.5 focus:shadow-pop"
    >
      {strings.skip}
    </button>
  );
}

/** To the current card where there is one in the view, else to the view. */
function skip(): void {
  const main = document.querySelector("main");
  const card = main?.querySelector<HTMLElement>("[data-row][tabindex='0']");
  (card ?? main)?.focus();
}
