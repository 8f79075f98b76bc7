import { Alert } from "@mantine/core";
import { useCallback } from "react";
import { useQuery } from "urql";
import { usePolling } from "../../hooks/use-polling.ts";
import { jobQueueQuery } from "../../services/documents.ts";

/** Where a job waits and why, asked again every two seconds: no event tells when the reason changes. */
export function WaitNotice({ jobId }: { readonly jobId: string }) {
  const [{ data }, refetch] = useQuery({ query: jobQueueQuery, variables: { id: jobId } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  usePolling(refresh, true);
  const queue = data?.job?.queue;
  // The next one in the queue that the scheduler has not looked at yet: that takes a moment and is not worth a word.
  if (!queue || (queue.reason === null && queue.position === 1)) return null;
  return (
    <Alert color="blue" variant="light" title={`Waiting, number ${queue.position} in the queue`}>
      {queue.reason ?? "The scheduler has not looked at it yet."}
    </Alert>
  );
}
