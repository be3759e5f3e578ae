/** The key of a button, for the eye alone. Its place is kept where it is not shown, so that no button moves. */
import { cx } from "../../ui/class-names.ts";
import { Kbd } from "../../ui/kbd.tsx";

export function KeyHint({ keys, shown }: { keys: string; shown: boolean }) {
  return (
    <span aria-hidden className={cx("-mr-1 inline-flex @max-[520px]:hidden", !shown && "invisible")}>
      <Kbd keys={keys} />
    </span>
  );
}
