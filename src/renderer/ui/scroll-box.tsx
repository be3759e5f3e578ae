/** A box that scrolls when its content is too tall, and that the keyboard reaches then, and only then. */
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { cx } from "./class-names.ts";

export function ScrollBox({ className, children, ...rest }: ComponentProps<"div">) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setScrolls(element.scrollHeight > element.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return (
    <div {...rest} ref={box} tabIndex={scrolls ? 0 : undefined} className={cx("overflow-y-auto", className)}>
      <div>{children}</div>
    </div>
  );
}
