/** Copies a text and says that it did, without a toast for so small a thing. */

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { common } from "../../base/common-strings.ts";
import { attempt } from "../../ui/attempt.ts";
import { IconButton } from "../../ui/button.tsx";
import { strings } from "./strings.ts";

const shownMs = 1_500;

type CopyButtonProps = { label: string; text: () => string; className?: string };

export function CopyButton({ label, text, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  async function copy() {
    await attempt(async () => {
      await navigator.clipboard.writeText(text());
      setCopied(true);
    }, strings.copyFailed);
  }
  return (
    <>
      <IconButton label={label} onClick={() => void copy()} className={className}>
        {copied ? <Check /> : <Copy />}
      </IconButton>
      <span role="status" className="sr-only">
        {copied ? common.copied : ""}
      </span>
    </>
  );
}
