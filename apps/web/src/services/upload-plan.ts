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

/** A file that is not there, or not whole. */
export interface MissingFile extends PlannedFile {
  /** What has arrived of it already; it is not sent again when the file is chosen once more. */
  readonly arrivedBytes: number;
}

/**
 * What was to be sent from this browser and is not there, or not whole, and what anybody has begun to send.
 *
 * @param partial  what has arrived of files that are not whole
 */
export function missingFiles(
  datasetId: string,
  arrived: readonly PlannedFile[],
  partial: readonly MissingFile[] = [],
): readonly MissingFile[] {
  const there = new Map(arrived.map(({ name, bytes }) => [name, bytes]));
  // The API normalises names as file systems of other machines write them otherwise.
  const planned = planOf(datasetId).filter(({ name, bytes }) => there.get(name.normalize("NFC")) !== bytes);
  const begun = new Map(partial.map((file) => [`${file.name} ${file.bytes}`, file]));
  const known = new Set(planned.map(({ name, bytes }) => `${name.normalize("NFC")} ${bytes}`));
  return [
    ...planned.map((file) => ({
      ...file,
      arrivedBytes: begun.get(`${file.name.normalize("NFC")} ${file.bytes}`)?.arrivedBytes ?? 0,
    })),
    ...[...begun].filter(([key]) => !known.has(key)).map(([, file]) => file),
  ];
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
