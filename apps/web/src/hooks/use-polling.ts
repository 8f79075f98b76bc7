import { useEffect } from "react";

/** Calls `refresh` every `everyMs` while `active` and the page is visible. For lists; a job page has events instead. */
export function usePolling(refresh: () => void, active: boolean, everyMs = 2000): void {
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [refresh, active, everyMs]);
}
