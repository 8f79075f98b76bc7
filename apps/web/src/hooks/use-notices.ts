import { useCallback } from "react";
import { useQuery } from "urql";
import { noticesQuery } from "../services/documents/notices.ts";

/** The newest notices and how many are unread; the bell and the page share one answer. */
export function useNotices() {
  const [state, refetch] = useQuery({ query: noticesQuery, variables: { first: 30 } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  return { state, refresh };
}
