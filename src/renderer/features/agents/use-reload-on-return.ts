/** Reads again when the person comes back to the window: meanwhile they may have edited a file by hand. */
import { useEffect } from "react";

export function useReloadOnReturn(reload: () => void): void {
  useEffect(() => {
    window.addEventListener("focus", reload);
    return () => window.removeEventListener("focus", reload);
  }, [reload]);
}
