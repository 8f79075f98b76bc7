import { ProblemError } from "@hopwise/client";
import { useCallback, useEffect, useRef, useState } from "react";
import type { UploadItem } from "../components/UploadList/UploadList.tsx";
import { askForPreview, createDataset, uploadFile } from "../services/datasets.ts";
import { problemOfUnknown, type ShownProblem } from "../services/problem.ts";

export interface DatasetUpload {
  readonly items: readonly UploadItem[];
  readonly isBusy: boolean;
  readonly problem: ShownProblem | null;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (name: string) => void;
  /** Makes the dataset at the first call, sends what has not arrived; the dataset's id when all has. */
  readonly start: (name: string) => Promise<string | null>;
  readonly stop: () => void;
}

/** The files of a new dataset and their way to the API, one after the other. */
export function useDatasetUpload(): DatasetUpload {
  const [items, setItems] = useState<readonly UploadItem[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const datasetId = useRef<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const change = useCallback((name: string, next: Partial<UploadItem>) => {
    setItems((all) => all.map((item) => (item.file.name === name ? { ...item, ...next } : item)));
  }, []);

  const start = async (name: string): Promise<string | null> => {
    const controller = new AbortController();
    abort.current = controller;
    setIsBusy(true);
    setProblem(null);
    try {
      datasetId.current ??= await createDataset(name);
      for (const { file } of items.filter((item) => item.state !== "done")) {
        setItems((all) => all.map((item) => (item.file === file ? { file, sentBytes: 0, state: "sending" } : item)));
        await send(datasetId.current, file, controller.signal, change);
      }
      await askForPreview(datasetId.current);
      return datasetId.current;
    } catch (error) {
      setProblem(problemOfUnknown(error));
      return null;
    } finally {
      setIsBusy(false);
    }
  };

  return {
    items,
    isBusy,
    problem,
    add: (files) => setItems((all) => withFiles(all, files)),
    remove: (name) => setItems((all) => all.filter((item) => item.file.name !== name)),
    start,
    stop: () => abort.current?.abort(),
  };
}

/** A file of a name that is already chosen takes the other's place. */
export function withFiles(items: readonly UploadItem[], files: readonly File[]): readonly UploadItem[] {
  const names = new Set(files.map((file) => file.name));
  const added = files.map((file): UploadItem => ({ file, sentBytes: 0, state: "waiting" }));
  return [...items.filter((item) => !names.has(item.file.name)), ...added];
}

async function send(
  datasetId: string,
  file: File,
  signal: AbortSignal,
  change: (name: string, next: Partial<UploadItem>) => void,
): Promise<void> {
  try {
    await uploadFile(datasetId, file, { signal, onProgress: (sentBytes) => change(file.name, { sentBytes }) });
    change(file.name, { state: "done", sentBytes: file.size });
  } catch (error) {
    const problem = problemOfUnknown(error);
    change(file.name, { state: "failed", problem });
    throw new ProblemError({
      ...problem,
      title: "Not every file has arrived",
      detail: `${file.name}: ${problem.detail} Remove the file or try again; what has arrived stays.`,
    });
  }
}
