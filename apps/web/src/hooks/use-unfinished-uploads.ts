import { useCallback, useEffect, useRef, useState } from "react";
import { type ListedUpload, readUploads } from "../services/datasets.ts";
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
 * The uploads to a dataset that are no files of it yet. Asked again as long as the service puts one together.
 *
 * @param onFinished  told when the service has put a file together, or failed to
 */
export function useUnfinishedUploads(datasetId: string, onFinished: () => void): UnfinishedUploads {
  const [uploads, setUploads] = useState<readonly ListedUpload[]>([]);
  const refresh = useCallback(() => {
    // What could not be asked again is shown as it was last.
    readUploads(datasetId).then(setUploads, () => undefined);
  }, [datasetId]);
  useEffect(refresh, [refresh]);
  const finishing = uploads.filter(({ state }) => state === "FINISHING");
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
