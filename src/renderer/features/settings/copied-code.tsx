/** A path or a command to take elsewhere, with the button that copies it. */
import { Copy } from "lucide-react";
import { common } from "../../base/common-strings.ts";
import { describeError } from "../../base/words.ts";
import { IconButton } from "../../ui/button.tsx";
import { showProblem, showToast } from "../../ui/toast.tsx";

/** @param label of the button, where several stand together. */
export function CopiedCode({ text, label = common.copy }: { text: string; label?: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      showToast(common.copied);
    } catch (error) {
      showProblem(common.failed, describeError(error));
    }
  }
  return (
    <span className="flex items-center gap-1.5">
      <code className="code-text [overflow-wrap:anywhere] select-all">{text}</code>
      <IconButton label={label} onClick={() => void copy()}>
        <Copy />
      </IconButton>
    </span>
  );
}
