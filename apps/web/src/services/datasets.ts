import { callRest } from "./rest.ts";

/** Makes an empty dataset and returns its id. */
export async function createDataset(name: string): Promise<string> {
  const { body } = await callRest("POST", "/v1/datasets", { name });
  return (body as { id: string }).id;
}

/** Reader and options that somebody has chosen for single files, by their names. */
export type ChosenReaders = Readonly<
  Record<string, { readonly type: string; readonly options: Readonly<Record<string, unknown>> }>
>;

/** Has a worker look into the files that have arrived; the id of the job that does. */
export async function askForPreview(datasetId: string, readers: ChosenReaders = {}): Promise<string> {
  const { body } = await callRest("POST", `/v1/datasets/${encodeURIComponent(datasetId)}/preview`, { readers });
  return (body as { id: string }).id;
}
