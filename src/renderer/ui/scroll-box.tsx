/** A box that scrolls when its content is too tall, that the keyboard reaches then, and only then, and that knows whether more is below. */
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { cx } from "./class-names.ts";

export function ScrollBox({ className, children, ...rest }: ComponentProps<"div">) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const [more, setMore] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      setScrolls(element.scrollHeight > element.clientHeight);
      setMore(element.scrollHeight - element.clientHeight - element.scrollTop > 1);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  return (
    <div
      {...rest}
      ref={box}
      tabIndex={scrolls ? 0 : undefined}
      data-more={more || undefined}
      className={cx("overflow-y-auto", className)}
    >
      <div>{children}</div>
    </div>
  );
}
