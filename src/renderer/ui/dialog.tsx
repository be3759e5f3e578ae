/** A modal question or form: title, text, content, and its buttons at the end. */
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import type { ReactNode, RefObject } from "react";
import { cx } from "./class-names.ts";
import { ForeignText } from "./foreign-text.tsx";
import { keepFocusInside } from "./keep-focus-inside.ts";
import { ScrollBox } from "./scroll-box.tsx";

/** What is cut at the lower edge fades there, so that no line looks like the last while more is below. */
const fades = "data-more:mask-b-from-[calc(100%-28px)]";

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
};

export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  actions,
  wide,
  initialFocus,
}: DialogProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(10_12_20/45%)]" />
        <BaseDialog.Popup
          ref={keepFocusInside}
          initialFocus={initialFocus}
          className={cx(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[86dvh] w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 flex-col gap-3 rounded-lg border border-line bg-raised p-4 shadow-pop",
            wide ? "max-w-[720px]" : "max-w-[460px]",
          )}
        >
          {/* A name of thousands of characters, here or in the description, must not push the buttons off the screen. */}
          <ScrollBox className={cx("max-h-[30dvh] shrink-0", fades)}>
            <BaseDialog.Title className="text-lg font-semibold">
              <ForeignText text={title} />
            </BaseDialog.Title>
          </ScrollBox>
          {description && (
            <ScrollBox className={cx("max-h-[30dvh] shrink-0", fades)}>
              <BaseDialog.Description className="text-ink-2" render={<div />}>
                {description}
              </BaseDialog.Description>
            </ScrollBox>
          )}
          {children && <ScrollBox className={cx("min-h-0", fades)}>{children}</ScrollBox>}
          {actions && <div className="flex flex-wrap justify-end gap-2 pt-1">{actions}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
