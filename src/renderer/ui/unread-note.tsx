/** Says, beside the buttons of a dialog, what is to be looked at before it can act. */
export function UnreadNote({ children }: { children: string }) {
  return (
    <p role="status" className="mr-auto self-center text-ink-2">
      {children}
    </p>
  );
}
