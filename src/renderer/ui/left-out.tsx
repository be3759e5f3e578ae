/** Says that a part of something large is not here, and brings the rest when it is wanted. */
import { useState } from "react";
import { Button } from "./button.tsx";
import { showProblem } from "./toast.tsx";

type LeftOutProps = {
  /** How much is missing, in a sentence. */
  text: string;
  action: string;
  /** Gets the rest; what it throws is shown. */
  onShow: () => Promise<void>;
  describe: (error: unknown) => string;
};

export function LeftOut({ text, action, onShow, describe }: LeftOutProps) {
  const [asking, setAsking] = useState(false);
  const show = async () => {
    setAsking(true);
    await onShow().catch((error: unknown) => showProblem(describe(error)));
    setAsking(false);
  };
  return (
    <p className="flex items-center gap-2 py-1 text-sm text-warn">
      {text}
      <Button small disabled={asking} onClick={() => void show()}>
        {action}
      </Button>
    </p>
  );
}
