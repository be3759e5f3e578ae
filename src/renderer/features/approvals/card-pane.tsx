/** The place of the current card, beside the rows or in its thread: what it says scrolls, and below it the decisions never move. */
import { type ReactNode, useRef } from "react";
import { cx } from "../../ui/class-names.ts";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { useToastsAbove } from "../../ui/toast.tsx";
import { ReadLine } from "./read-line.tsx";

type CardPaneProps = { children: ReactNode; decisions: ReactNode };

export function CardPane({ inThread = false, ...parts }: CardPaneProps & { inThread?: boolean }) {
  return inThread ? <Parts {...parts} /> : <PaneBesideRows {...parts} />;
}

function PaneBesideRows({ children, decisions }: CardPaneProps) {
  const foot = useRef<HTMLDivElement>(null);
  useToastsAbove(foot);
  return (
    <Parts
      foot={foot}
      decisions={decisions}
      inset="wide:px-6 min-[1200px]:px-8"
      room={<div aria-hidden className="h-[calc(var(--toast-space,-16px)+16px)] shrink-0" />}
    >
      {children}
    </Parts>
  );
}

type PartsProps = CardPaneProps & { foot?: React.Ref<HTMLDivElement>; inset?: string; room?: ReactNode };

/** @param room messages stand here while there are any, so that none lies over a word and the decisions stay where they are. */
function Parts({ children, decisions, foot, inset, room }: PartsProps) {
  return (
    <>
      <ScrollBox
        data-scroll
        data-card-scroll
        className={cx("min-h-0 flex-1 px-4 pt-3 outline-offset-[-2px]", inset && "min-[1200px]:pt-5", inset)}
      >
        <div className={cx("flex flex-col gap-3", inset ? "pb-4" : "pb-3")}>{children}</div>
      </ScrollBox>
      {room}
      <div
        ref={foot}
        className={cx("shrink-0 border-t border-line px-4 pt-3", inset && "min-[1200px]:pt-4", inset)}
      >
        {decisions}
        <ReadLine />
      </div>
    </>
  );
}
