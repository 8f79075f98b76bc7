/** A file that was to be sent to a dataset. */
export interface PlannedFile {
  readonly name: string;
  readonly bytes: number;
}

const keyOf = (datasetId: string) => `hopwise.upload.${datasetId}`;

/** Keeps what is to be sent, so that after a reload the dataset's page can say what of it is missing. */
export function keepPlan(datasetId: string, files: readonly PlannedFile[]): void {
  localStorage.setItem(keyOf(datasetId), JSON.stringify(files.map(({ name, bytes }) => ({ name, bytes }))));
}

/** To be called when everything has arrived, or nobody wants it any more. */
export function dropPlan(datasetId: string): void {
  localStorage.removeItem(keyOf(datasetId));
}

/** What was to be sent from this browser and is not there, or not whole. */
export function missingFiles(datasetId: string, arrived: readonly PlannedFile[]): readonly PlannedFile[] {
  const there = new Map(arrived.map(({ name, bytes }) => [name, bytes]));
  // The API normalises names as file systems of other machines write them otherwise.
  return planOf(datasetId).filter(({ name, bytes }) => there.get(name.normalize("NFC")) !== bytes);
}

function planOf(datasetId: string): readonly PlannedFile[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(datasetId)) ?? "[]");
    return Array.isArray(found) ? found.filter(isPlanned) : [];
  } catch {
    return []; // what another program has written there
  }
}

function isPlanned(value: unknown): value is PlannedFile {
  const { name, bytes } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof bytes === "number";
}
