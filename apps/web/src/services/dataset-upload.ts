import { type CallProblem, ProblemError } from "@hopwise/client";
import { nameWithFolders } from "./dataset-name.ts";
import { askForPreview, createDataset, deleteDataset, uploadFile } from "./datasets.ts";
import { fileObjection } from "./file-objection.ts";
import { problemOfUnknown, type ShownProblem } from "./problem.ts";
import { dropPlan, keepPlan } from "./upload-plan.ts";

export interface UploadItem {
  readonly file: File;
  /** What it is called in the dataset: a file of a folder that was dropped keeps the folder before its name */
  readonly name: string;
  readonly sentBytes: number;
  /** How much of it the service has put together since all of it came; null: it says nothing of that yet */
  readonly finishedBytes: number | null;
  readonly state: "waiting" | "sending" | "done" | "failed";
  readonly startedAtMs: number | null;
  readonly problem?: ShownProblem | undefined;
  /** Why nothing of it is sent now; it goes on by itself */
  readonly waiting?: string | null;
  /** Why it is not sent at all */
  readonly objection: string | null;
  /** What it takes the place of, as a sentence */
  readonly replaces: string | null;
}

export interface UploadState {
  readonly name: string;
  readonly datasetId: string | null;
  readonly items: readonly UploadItem[];
  readonly isBusy: boolean;
  readonly startedAtMs: number | null;
  readonly problem: ShownProblem | null;
  /** The job that looks into the files; null until all have arrived */
  readonly previewJobId: string | null;
}

const nothing = { items: [], isBusy: false, startedAtMs: null, problem: null, previewJobId: null };

/**
 * Files on their way to a dataset, one after the other. It belongs to no page: moving about in the dashboard stops
 * nothing, and every page that shows it sees the same.
 */
export class DatasetUpload {
  #state: UploadState;
  readonly #listeners = new Set<() => void>();
  #abort: AbortController | null = null;

  readonly #given: string | null;

  /** @param datasetId null: the dataset is made at the first start */
  constructor(datasetId: string | null) {
    this.#given = datasetId;
    this.#state = { ...nothing, name: "", datasetId };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): UploadState => this.#state;

  readonly setName = (name: string): void => this.#change({ name });

  /** @param present names of files that the dataset has already */
  readonly add = (files: readonly File[], present: readonly string[] = []): void => {
    this.#change({ items: withFiles(this.#state.items, files, present), problem: null });
    for (const file of files) {
      void fileObjection(file).then((objection) => this.#changeItem(file, { objection }));
    }
  };

  readonly remove = (name: string): void =>
    this.#change({ items: this.#state.items.filter((item) => item.name !== name) });

  readonly stop = (): void => this.#abort?.abort();

  /** Begins anew with an empty list; what has arrived stays in its dataset. */
  readonly clear = (): void => {
    if (!this.#state.isBusy) this.#change({ ...nothing, name: "", datasetId: this.#given });
  };

  /** Sends what has not arrived yet, and has all looked into. */
  readonly start = async (): Promise<void> => {
    if (this.#state.isBusy) return;
    const controller = new AbortController();
    this.#abort = controller;
    this.#change({ isBusy: true, problem: null, startedAtMs: Date.now(), previewJobId: null });
    try {
      const id = this.#state.datasetId ?? (await createDataset(this.#state.name.trim()));
      this.#change({ datasetId: id });
      const wanted = this.#state.items.filter(({ objection }) => objection === null);
      keepPlan(
        id,
        wanted.map(({ file, name }) => ({ name, bytes: file.size })),
      );
      for (const item of wanted) if (item.state !== "done") await this.#send(id, item, controller.signal);
      dropPlan(id);
      this.#change({ previewJobId: await askForPreview(id) });
    } catch (error) {
      this.#change({ problem: problemOfUnknown(error) });
      await this.#removeEmpty();
    } finally {
      this.#change({ isBusy: false });
    }
  };

  /** A dataset that was made here and of which no file has a byte is made anew by the next start. */
  async #removeEmpty(): Promise<void> {
    const { datasetId, items } = this.#state;
    if (this.#given !== null || datasetId === null || items.some(({ sentBytes }) => sentBytes > 0)) return;
    dropPlan(datasetId);
    await deleteDataset(datasetId).catch(() => undefined);
    this.#change({ datasetId: null });
  }

  async #send(datasetId: string, { file, name }: UploadItem, signal: AbortSignal): Promise<void> {
    const fresh = { sentBytes: 0, finishedBytes: null, startedAtMs: Date.now(), problem: undefined } as const;
    this.#changeItem(file, { ...fresh, state: "sending" });
    const onProgress = (sentBytes: number) => this.#changeItem(file, { sentBytes, waiting: null });
    const onFinishing = (finishedBytes: number) =>
      this.#changeItem(file, { sentBytes: file.size, finishedBytes, waiting: null });
    const onWaiting = (waiting: string | null) => this.#changeItem(file, { waiting });
    try {
      await uploadFile(datasetId, named(file, name), { signal, onProgress, onFinishing, onWaiting });
    } catch (error) {
      this.#changeItem(file, { waiting: null });
      await this.#refuseChanged(file);
      throw this.#failed(file, problemOfUnknown(error), "Remove the file or try again; what has arrived stays.");
    }
    await this.#refuseChanged(file);
    this.#changeItem(file, { state: "done", sentBytes: file.size });
  }

  /** A browser looks at the file when it begins to send it: what is written into it later is sent as part of it. */
  async #refuseChanged(file: File): Promise<void> {
    if (!(await isReadable(file))) throw this.#failed(file, fileChanged, "");
  }

  #failed(file: File, problem: CallProblem, advice: string): ProblemError {
    this.#changeItem(file, { state: "failed", problem });
    const detail = `${nameWithFolders(file)}: ${problem.detail} ${advice}`.trimEnd();
    return new ProblemError({ ...problem, title: "Not every file has arrived", detail });
  }

  #changeItem(file: File, next: Partial<UploadItem>): void {
    this.#change({ items: this.#state.items.map((item) => (item.file === file ? { ...item, ...next } : item)) });
  }

  #change(next: Partial<UploadState>): void {
    this.#state = { ...this.#state, ...next };
    for (const listener of this.#listeners) listener();
  }
}

const fileChanged: CallProblem = {
  code: "FILE_CHANGED",
  title: "The file cannot be read any more",
  detail: "It has changed since it was chosen, or is gone. Choose it again.",
};

/** The bytes of a file under the name that it has in the dataset */
function named(file: File, name: string): File {
  if (file.name === name) return file;
  const { type, lastModified } = file;
  // Some browsers write another sign in the place of a slash.
  return Object.defineProperty(new File([file], name, { type, lastModified }), "name", { value: name });
}

/** Whether a file is still as it was chosen. What browsers tell of one that is not: a lost connection, or nothing. */
async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

/** A file of a name that is already chosen, or there, takes the other's place, and the list says so. */
export function withFiles(
  items: readonly UploadItem[],
  files: readonly File[],
  present: readonly string[] = [],
): readonly UploadItem[] {
  // The later one of a name is sent: files that are chosen one by one say nothing of their folders.
  const byName = new Map(files.map((file) => [nameWithFolders(file), file]));
  const chosen = new Set(items.map((item) => item.name));
  const replacing = (name: string) => {
    if (chosen.has(name)) return `It takes the place of the “${name}” that was chosen before.`;
    return present.includes(name) ? `It takes the place of the “${name}” that the dataset has.` : null;
  };
  const added = [...byName].map(
    ([name, file]): UploadItem => ({
      file,
      name,
      sentBytes: 0,
      finishedBytes: null,
      state: "waiting",
      startedAtMs: null,
      objection: null,
      replaces: replacing(name),
    }),
  );
  return [...items.filter((item) => !byName.has(item.name)), ...added];
}

/** Uploads that are not over, by their dataset; the empty name is that of the next new dataset. */
const uploads = new Map<string, DatasetUpload>();
const anyListeners = new Set<() => void>();

export function uploadTo(datasetId: string | null): DatasetUpload {
  const key = datasetId ?? "";
  const found = uploads.get(key);
  if (found) return found;
  const made = new DatasetUpload(datasetId);
  uploads.set(key, made);
  made.subscribe(() => {
    // What is over is for the page that shows it; the next one begins with an empty list.
    if (made.state().previewJobId === null) uploads.set(key, made);
    else uploads.delete(key);
    for (const listener of anyListeners) listener();
  });
  return made;
}

/** The upload that is under way, or one that was broken off; null when there is none. */
export function pendingUpload(): UploadState | null {
  const states = [...uploads.values()].map((upload) => upload.state());
  return states.find(({ isBusy }) => isBusy) ?? states.find(({ problem }) => problem !== null) ?? null;
}

export function subscribeToUploads(listener: () => void): () => void {
  anyListeners.add(listener);
  return () => anyListeners.delete(listener);
}
