/** What axe does not look at: that nothing moves for a person who asked for that, that characters are drawn as they are, and that what is chosen shows without colours. */
import type { Page } from "@playwright/test";

/** Time passing is shown by movement whatever the person asked for, and what comes a moment later does not move. */
const timePassing = ["none", "fill", "appear"];

/** @returns the markup of what would move though the person asked for less motion. */
export function findMoving(page: Page): Promise<string[]> {
  return page.evaluate((allowed) => {
    const moves = (element: Element) => {
      const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element);
      return (
        scrollBehavior === "smooth" ||
        transitionDuration.split(", ").some((duration) => Number.parseFloat(duration) > 0) ||
        animationName.split(", ").some((name) => !allowed.includes(name))
      );
    };
    return [...document.querySelectorAll("*")]
      .filter(moves)
      .map((element) => element.outerHTML.slice(0, 200));
  }, timePassing);
}

/** @returns the words whose characters the font draws as others ("=>" as an arrow), or as wide as digits where they are no numbers. */
export function findRedrawn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isRedrawn = (element: Element) => {
      const words = [...element.childNodes].filter((node) => node instanceof Text).map((node) => node.data);
      if (!words.some((text) => text.trim() !== "") && !element.matches("input, textarea")) return false;
      const { fontVariantLigatures, fontVariantNumeric } = getComputedStyle(element);
      const asDigits = fontVariantNumeric.includes("tabular-nums") && /[a-z]-/i.test(words.join(""));
      return fontVariantLigatures !== "none" || asDigits;
    };
    return [...document.querySelectorAll("body *:not(script, style)")]
      .filter(isRedrawn)
      .map((element) => element.outerHTML.slice(0, 200));
  });
}

/** With forced colours. @returns the words on a filled place, behind which the browser lays a plate of the same colour as they have. */
export function findCovered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const filled = getComputedStyle(document.body).color;
    const isCovered = (element: Element) => {
      const { backgroundColor, forcedColorAdjust } = getComputedStyle(element) as CSSStyleDeclaration & {
        forcedColorAdjust: string;
      };
      return backgroundColor === filled && element.textContent !== "" && forcedColorAdjust !== "none";
    };
    return [...document.querySelectorAll("body *")].filter(isCovered).map((element) => element.outerHTML);
  });
}

/** With forced colours. @returns the markup of what is chosen, on or open and looks like what is not. */
export function findUnmarked(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const chosen =
      '[aria-current]:not([aria-current="false"]), [aria-pressed="true"], [aria-selected="true"], [role="switch"]';
    const hasEdge = (element: Element | null) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    };
    const groundOf = (element: Element | null) => element && getComputedStyle(element).backgroundColor;
    const isMarked = (element: Element) => {
      // A row is marked as a whole.
      if (element.matches("[data-thread]")) return hasEdge(element.parentElement?.closest(".group") ?? null);
      if (!element.matches('[role="switch"]')) return hasEdge(element);
      const filled = groundOf(element) !== groundOf(document.body);
      const on = element.getAttribute("aria-checked") === "true";
      return filled === on && groundOf(element.firstElementChild) !== groundOf(element);
    };
    return [...document.querySelectorAll(chosen)]
      .filter((element) => element.checkVisibility() && !isMarked(element))
      .map((element) => element.outerHTML.slice(0, 200));
  });
}
