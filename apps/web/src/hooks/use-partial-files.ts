import { useQuery } from "urql";
import { uploadsQuery } from "../services/documents/uploads.ts";
import type { MissingFile } from "../services/upload-plan.ts";

/** What has arrived of files that somebody has begun to send to a dataset, and that are not whole. */
export function usePartialFiles(datasetId: string): readonly MissingFile[] {
  const [{ data }] = useQuery({
    query: uploadsQuery,
    variables: { dataset: datasetId },
    requestPolicy: "cache-and-network",
  });
  const receiving = (data?.uploads ?? []).filter(({ state }) => state === "RECEIVING");
  return receiving.map(({ name, bytesTotal, bytesDone }) => ({ name, bytes: bytesTotal, arrivedBytes: bytesDone }));
}
