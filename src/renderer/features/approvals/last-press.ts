/** Tells a press that a person still means from one that they have gone on from. */

const presses = ["keydown", "pointerdown"] as const;

/** A key that is held down, and the second press of a double click, are no other press. */
function isSame(event: Event): boolean {
  if (event instanceof KeyboardEvent) return event.repeat;
  const button = document.activeElement;
  return button instanceof HTMLButtonElement && event.target instanceof Node && button.contains(event.target);
}

/** @returns whether nothing else was pressed while `wait` lasted. */
export async function staysLastPress(wait: () => Promise<void>): Promise<boolean> {
  let isLast = true;
  const onPress = (event: Event) => {
    if (!isSame(event)) isLast = false;
  };
  for (const press of presses) window.addEventListener(press, onPress, true);
  try {
    await wait();
  } finally {
    for (const press of presses) window.removeEventListener(press, onPress, true);
  }
  return isLast;
}
