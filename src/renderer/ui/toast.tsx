/** Short messages that need no answer; callable from anywhere. They never cover what a person is about to press. */
import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { common } from "../base/common-strings.ts";
import { cx } from "./class-names.ts";
import { spellOut } from "./reveal-characters.ts";

const toasts = Toast.createToastManager();

/** Says something that happened. What stands there already is said again in its place, with how often. */
export function showToast(title: string, description?: string): void {
  toasts.add({
    id: JSON.stringify([title, description]),
    title: foreign(title),
    description: foreign(description),
    timeout: 6_000,
  });
}

/** Says what went wrong; stays longer and is announced at once. */
export function showProblem(title: string, description?: string): void {
  toasts.add({
    id: JSON.stringify(["problem", title, description]),
    title: foreign(title),
    description: foreign(description),
    type: "problem",
    priority: "high",
    timeout: 15_000,
  });
}

/** A message often quotes a command, a path or a name. */
function foreign(text: string | undefined): string | undefined {
  return text?.split("\n").map(spellOut).join("\n");
}

/** Draws the messages; used once, by the shell. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Messages />
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** Below dialogs, whose buttons stand anywhere; above the composer; what scrolls ends above them. */
function Messages() {
  const viewport = useRef<HTMLDivElement>(null);
  useHeightAs("--toast-space", viewport);
  return (
    <Toast.Viewport
      ref={viewport}
      className="fixed right-4 bottom-[calc(var(--frame-foot,28px)+8px+var(--toast-lift,0px))] z-30 flex w-80 max-w-[calc(100vw-32px)] flex-col gap-2"
    >
      <ToastList />
    </Toast.Viewport>
  );
}

/** Makes the messages stand above this element, which ends at the status line. */
export function useToastsAbove(element: RefObject<HTMLElement | null>): void {
  useHeightAs("--toast-lift", element);
}

/** The same for the line at the bottom of the window, above which everything else ends; a narrow window has two lines there. */
export function useToastsAboveFoot(element: RefObject<HTMLElement | null>): void {
  useHeightAs("--frame-foot", element);
}

/** Keeps the height of an element, in pixels, in a variable of the document while it is there. */
function useHeightAs(variable: `--${string}`, element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      if (height > 0) style.setProperty(variable, `${height}px`);
      else style.removeProperty(variable);
    });
    if (element.current) observer.observe(element.current);
    return () => {
      observer.disconnect();
      style.removeProperty(variable);
    };
  }, [variable, element]);
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // It can take the focus, so it must not be hidden from a screen reader; what announces it is elsewhere.
      aria-hidden={false}
      className={cx(
        "rounded-md border border-l-4 bg-raised p-3 pr-8 shadow-pop",
        toast.type === "problem" ? "border-bad" : "border-line-strong",
      )}
    >
      <Toast.Title className="font-medium">
        {toast.title}
        {(toast.updateKey ?? 0) > 0 && (
          <span className="font-normal text-ink-3"> {common.times((toast.updateKey ?? 0) + 1)}</span>
        )}
      </Toast.Title>
      <Toast.Description className="text-sm break-words whitespace-pre-line text-ink-2" />
      <Toast.Close
        aria-label="Dismiss"
        aria-hidden={false}
        className="absolute top-2 right-2 grid size-6 place-items-center rounded-sm text-ink-3 hover:bg-hover [&_svg]:size-3.5"
      >
        <X />
      </Toast.Close>
    </Toast.Root>
  ));
}
