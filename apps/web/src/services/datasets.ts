import { callRest } from "./rest.ts";

/** Makes an empty dataset and returns its id. */
export async function createDataset(name: string): Promise<string> {
  const { body } = await callRest("POST", "/v1/datasets", { name });
  return (body as { id: string }).id;
}

/** Has a worker look into the files that have arrived. */
export async function askForPreview(datasetId: string): Promise<void> {
  await callRest("POST", `/v1/datasets/${encodeURIComponent(datasetId)}/preview`);
}
