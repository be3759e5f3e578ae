/** Says above the rows that new requests were held back, and lets them in. */
import { Button } from "../../ui/button.tsx";
import { strings } from "./strings.ts";

export function NewAbove({ held, onRelease }: { held: number; onRelease: () => void }) {
  if (held === 0) return null;
  return (
    <div role="status" className="absolute inset-x-0 top-1 z-10 flex justify-center">
      <Button small look="primary" className="rounded-full shadow-pop" onClick={onRelease}>
        {strings.newAbove(held)}
      </Button>
    </div>
  );
}
