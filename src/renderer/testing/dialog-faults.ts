/** What is wrong with an open dialog at the size that the window has, for tests. */

/** In here all, since this also runs where only its own text arrives. Messages of what was done are no dialogs. */
export function dialogFaults(): string[] {
  const { clientWidth, clientHeight } = document.documentElement;
  const hasRoomForFingers = matchMedia("(max-width: 899px) and (min-height: 720px)").matches;
  const isBeyond = (one: Element, edge: { left: number; right: number; top: number; bottom: number }) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 1 || bottom > edge.bottom + 1;
  };
  const faultsOf = (dialog: HTMLElement): string[] => {
    const edge = dialog.getBoundingClientRect();
    const all = [...dialog.querySelectorAll<HTMLElement>("*")].filter(
      (one) => one.checkVisibility() && !one.closest(".sr-only"),
    );
    const scrollerOf = (one: Element) => all.find((box) => box !== one && box.contains(one) && scrolls(box));
    const scrolls = (box: Element) => ["auto", "scroll"].includes(getComputedStyle(box).overflowY);
    const faultOf = (one: HTMLElement): string | undefined => {
      if (!scrollerOf(one) && isBeyond(one, edge)) return "beyond the edge";
      if (scrolls(one) && !one.matches("input, textarea, pre, select")) {
        if (one.scrollWidth > one.clientWidth + 1) return "cut at the side";
        const isCut = one.scrollHeight - one.clientHeight - one.scrollTop > 2;
        const says =
          getComputedStyle(one).maskImage !== "none" || one.matches("[data-more] *, [role=listbox]");
        if (isCut && !says) return "cut below without a sign";
      }
      const isField = one.matches("select, input:not([type=checkbox], [type=radio], [type=file])");
      if (hasRoomForFingers && isField && one.getBoundingClientRect().height < 39.5) return "low for fingers";
      return undefined;
    };
    return [
      ...(isBeyond(dialog, { left: 0, top: 0, right: clientWidth, bottom: clientHeight })
        ? ["off the screen"]
        : []),
      ...(dialog.contains(document.activeElement) ? [] : ["the focus is outside"]),
      ...all.flatMap((one) => {
        const fault = faultOf(one);
        return fault === undefined
          ? []
          : [
              `${fault}: ${one.tagName} ${(one.getAttribute("aria-label") ?? one.textContent ?? "").slice(0, 40)}`,
            ];
      }),
    ];
  };
  const dialogs = document.querySelectorAll<HTMLElement>("[role=dialog][data-open]");
  return [...dialogs].flatMap(faultsOf);
}
