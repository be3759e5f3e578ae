/** The sheet of all keys, opened by `?`; drawn from the registry, so it cannot be out of date. */
import { create } from "zustand";
import { type Action, useActions } from "../base/actions.ts";
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
              {list.map((action) => (
                <KeyRow key={action.id} action={action} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function KeyRow({ action }: { action: Action }) {
  return (
    <div className="flex items-baseline justify-between gap-3 py-0.5">
      <dt className="text-ink-2">{action.label}</dt>
      <dd className="flex gap-1">
        {action.keys?.map((keys) => (
          <Kbd key={keys} keys={keys} />
        ))}
      </dd>
    </div>
  );
}
