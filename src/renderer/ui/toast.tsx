/** Short messages that need no answer; callable from anywhere. */
import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { cx } from "./class-names.ts";

const toasts = Toast.createToastManager();

/** Says something that happened. */
export function showToast(title: string, description?: string): void {
  toasts.add({ title, description, timeout: 6_000 });
}

/** Says what went wrong; stays longer and is announced at once. */
export function showProblem(title: string, description?: string): void {
  toasts.add({ title, description, type: "problem", priority: "high", timeout: 15_000 });
}

/** Draws the messages; used once, by the shell. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-10 z-50 flex w-80 max-w-[calc(100vw-32px)] flex-col gap-2">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={cx(
        "rounded-md border border-l-4 bg-raised p-3 pr-8 shadow-pop",
        toast.type === "problem" ? "border-bad" : "border-line-strong",
      )}
    >
      <Toast.Title className="font-medium" />
      <Toast.Description className="text-sm break-words text-ink-2" />
      <Toast.Close
        aria-label="Dismiss"
        className="absolute top-2 right-2 rounded-sm p-1 text-ink-3 hover:bg-hover [&_svg]:size-3.5"
      >
        <X />
      </Toast.Close>
    </Toast.Root>
  ));
}
