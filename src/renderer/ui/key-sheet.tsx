/** The sheet of all keys, opened by `?`; drawn from the registry, so it cannot be out of date. */
import { create } from "zustand";
import { useActions } from "../base/actions.ts";
import { strings } from "../base/strings.ts";
import { Dialog } from "./dialog.tsx";
import { Kbd } from "./kbd.tsx";

const useKeySheet = create<{ open: boolean }>(() => ({ open: false }));

export function openKeySheet(): void {
  useKeySheet.setState({ open: true });
}

export function KeySheet() {
  const open = useKeySheet((state) => state.open);
  const actions = useActions((state) => state.actions);
  const bySection = Map.groupBy(
    actions.filter((action) => action.keys?.length),
    (action) => action.section,
  );
  return (
    <Dialog
      wide
      open={open}
      onClose={() => useKeySheet.setState({ open: false })}
      title={strings.keySheetTitle}
      description={strings.keySheetHint}
    >
      <div className="columns-2 gap-8 max-[640px]:columns-1">
        {[...bySection].map(([section, list]) => (
          <section key={section} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 font-semibold">{section}</h3>
            <dl>
              {[...Map.groupBy(list, ({ label }) => label)].map(([label, alike]) => (
                <KeyRow key={label} label={label} keys={alike.flatMap(({ keys = [] }) => keys)} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** All keys of one deed in a row; digits that follow each other as the first and the last. */
function KeyRow({ label, keys }: { label: string; keys: readonly string[] }) {
  const last = keys.at(-1);
  const isRun = keys.length > 2 && keys.every((key, at) => key.endsWith(`${at + 1}`));
  return (
    <div className="flex items-baseline justify-between gap-3 py-0.5">
      <dt className="text-ink-2">{label}</dt>
      <dd className="flex gap-1 whitespace-nowrap">
        {(isRun ? keys.slice(0, 1) : keys).map((one) => (
          <Kbd key={one} keys={one} />
        ))}
        {isRun && last !== undefined && (
          <>
            {strings.keyRun} <Kbd keys={last} />
          </>
        )}
      </dd>
    </div>
  );
}
