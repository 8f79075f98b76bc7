import { useState, useSyncExternalStore } from "react";
import { type DatasetUpload, type UploadState, uploadTo } from "../services/dataset-upload.ts";

export interface ShownUpload extends UploadState {
  readonly upload: DatasetUpload;
  /** Without what has arrived and what no reader takes */
  readonly numToSend: number;
}

/** The files of a dataset, or of the next new one, and their way to the API; it goes on without this page. */
export function useDatasetUpload(datasetId: string | null): ShownUpload {
  const [upload] = useState(() => uploadTo(datasetId));
  const state = useSyncExternalStore(upload.subscribe, upload.state);
  const numToSend = state.items.filter((item) => item.objection === null && item.state !== "done").length;
  return { ...state, upload, numToSend };
}
