import { useCallback } from "react";
import { callRest } from "../services/rest.ts";

/** Ends the session and starts the page afresh, so that nothing of it stays in memory. */
export function useSignOut(): () => void {
  return useCallback(() => {
    void callRest("DELETE", "/v1/session").finally(() => location.assign("/sign-in"));
  }, []);
}
