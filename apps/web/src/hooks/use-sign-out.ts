import { useCallback } from "react";
import { api } from "../services/api.ts";

/** Ends the session and starts the page afresh, so that nothing of it stays in memory. */
export function useSignOut(): () => void {
  return useCallback(() => {
    void api.call("DELETE /v1/session").finally(() => location.assign("/sign-in"));
  }, []);
}
