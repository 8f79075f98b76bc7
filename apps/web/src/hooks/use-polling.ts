import { useEffect } from "react";

/**
 * Calls `refresh` every `everyMs` while `active` and the page is visible, and as soon as it is visible again. For
 * what no change is told of; lists have useLiveRefresh, a job page has events.
 */
export function usePolling(refresh: () => void, active: boolean, everyMs = 2000): void {
  useEffect(() => {
    if (!active) return undefined;
    const refreshWhenSeen = () => {
      if (document.visibilityState === "visible") refresh();
    };
    const timer = setInterval(refreshWhenSeen, everyMs);
    document.addEventListener("visibilitychange", refreshWhenSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refreshWhenSeen);
    };
  }, [refresh, active, everyMs]);
}
