import { useCallback, useEffect, useRef } from "react";
import { useQuery } from "urql";
import { uploadsQuery } from "../services/documents/uploads.ts";
import type { MissingFile } from "../services/upload-plan.ts";
import { usePolling } from "./use-polling.ts";

/** A file of which every byte has come, and that the service puts together. */
export interface FinishingFile {
  readonly name: string;
  readonly bytes: number;
  readonly finishedBytes: number;
}

export interface UnfinishedUploads {
  /** What has arrived of files that somebody has begun to send, and that are not whole */
  readonly partial: readonly MissingFile[];
  readonly finishing: readonly FinishingFile[];
}

/**
 * The uploads to a dataset that are no files of it yet.
 *
 * @param onFinished  told when the service has put a file together, or failed to
 */
export function useUnfinishedUploads(datasetId: string, onFinished: () => void): UnfinishedUploads {
  const [{ data }, refetch] = useQuery({
    query: uploadsQuery,
    variables: { dataset: datasetId },
    requestPolicy: "cache-and-network",
  });
  const uploads = data?.uploads ?? [];
  const finishing = uploads.filter(({ state }) => state === "FINISHING");
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  usePolling(refresh, finishing.length > 0);
  const numBefore = useRef(0);
  useEffect(() => {
    if (finishing.length < numBefore.current) onFinished();
    numBefore.current = finishing.length;
  }, [finishing.length, onFinished]);
  return {
    partial: uploads
      .filter(({ state }) => state === "RECEIVING")
      .map(({ name, bytesTotal, bytesDone }) => ({ name, bytes: bytesTotal, arrivedBytes: bytesDone })),
    finishing: finishing.map(({ name, bytesTotal, bytesFinished }) => ({
      name,
      bytes: bytesTotal,
      finishedBytes: bytesFinished,
    })),
  };
}
