/** Says, beside the buttons of a dialog, what is to be looked at before it can act; not when a glance is enough. */
export function UnreadNote({ children }: { children: string }) {
  return (
    <p role="status" className="mr-auto animate-[appear_0s_600ms_backwards] self-center text-ink-2">
      {children}
    </p>
  );
}
