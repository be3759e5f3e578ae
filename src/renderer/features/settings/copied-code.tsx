/** A path or a command to take elsewhere, with the button that copies it. */
import { Copy } from "lucide-react";
import { common } from "../../base/common-strings.ts";
import { IconButton } from "../../ui/button.tsx";
import { copyText } from "../../ui/hand-text.ts";

/** @param label of the button, where several stand together. */
export function CopiedCode({ text, label = common.copy }: { text: string; label?: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <code className="code-text [overflow-wrap:anywhere] select-all">{text}</code>
      <IconButton label={label} onClick={() => void copyText(text)}>
        <Copy />
      </IconButton>
    </span>
  );
}
