/** The key of a button, for the eye alone. Its place is kept where it is not shown, so that no button moves. */
import { cx } from "../../ui/class-names.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { strings } from "./strings.ts";

/** @param held it acts once it was down for a while. */
export function KeyHint({ keys, shown, held = false }: { keys: string; shown: boolean; held?: boolean }) {
  return (
    <span aria-hidden className={cx("-mr-1 inline-flex gap-1 @max-[520px]:hidden", !shown && "invisible")}>
      {held && <span className="font-normal">{strings.holdKey}</span>}
      <Kbd keys={keys} />
    </span>
  );
}
