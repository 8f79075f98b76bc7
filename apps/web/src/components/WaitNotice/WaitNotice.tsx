import { Alert } from "@mantine/core";
import { useCallback } from "react";
import { useQuery } from "urql";
import { useLiveRefresh } from "../../hooks/use-live-refresh.ts";
import { jobQueueQuery } from "../../services/documents/job.ts";

const topics = ["QUEUE"] as const;

/** Where a job waits and why: asked again whenever the queue moves. */
export function WaitNotice({ jobId }: { readonly jobId: string }) {
  const [state, refetch] = useQuery({ query: jobQueueQuery, variables: { id: jobId } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 2000 });
  const queue = state.data?.job?.queue;
  // The next one in the queue that the scheduler has not looked at yet: that takes a moment and is not worth a word.
  if (!queue || (queue.reason === null && queue.position === 1)) return null;
  return (
    <Alert color="blue" variant="light" title={`Waiting, number ${queue.position} in the queue`}>
      {queue.reason ?? "The scheduler has not looked at it yet."}
    </Alert>
  );
}
