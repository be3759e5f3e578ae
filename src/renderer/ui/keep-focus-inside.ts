/** Keeps the focus in a dialog whose button is switched off or goes while it has it: from the page behind, no key would act. */

/** For `ref`. The focus waits on the dialog itself, and comes back to the button that is switched on again. */
export function keepFocusInside(dialog: HTMLElement | null): (() => void) | undefined {
  if (!dialog) return undefined;
  let last: HTMLElement | undefined;
  const note = ({ target }: FocusEvent) => {
    if (target !== dialog && target instanceof HTMLElement) last = target;
  };
  const observer = new MutationObserver(() => {
    const isLost = document.activeElement === document.body;
    if (!last || !(isLost || document.activeElement === dialog)) return;
    const isThere = dialog.contains(last) && !last.matches(":disabled");
    if (isThere) last.focus();
    else if (isLost) dialog.focus();
  });
  dialog.addEventListener("focusin", note);
  observer.observe(dialog, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  return () => {
    dialog.removeEventListener("focusin", note);
    observer.disconnect();
  };
}
