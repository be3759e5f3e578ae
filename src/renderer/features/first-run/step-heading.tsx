/** What a step of the first run asks; takes the focus when its step comes, so that keyboard and screen reader follow. */
import { useEffect, useRef } from "react";

type StepHeadingProps = { title: string; text: string; takeFocus?: boolean };

/** @param takeFocus left off for the first step, which comes by itself and must not take the focus. */
export function StepHeading({ title, text, takeFocus = false }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takeFocus) heading.current?.focus();
  }, [takeFocus]);
  return (
    <div>
      <h3 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {title}
      </h3>
      <p className="max-w-[70ch] text-pretty text-ink-2">{text}</p>
    </div>
  );
}
