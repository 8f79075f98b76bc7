/** What a version of a model tells of where it comes from. */
export interface TrainedOn {
  /** id@number; empty: an uploaded model says nothing of it */
  readonly dataset: string;
  readonly datasetName: string;
  readonly isUploaded: boolean;
}

/** The dataset of a model that was uploaded is none of these here, or none at all. */
export function trainedOnWords({ dataset, datasetName, isUploaded }: TrainedOn): string {
  const name = datasetName || dataset;
  if (isUploaded) return name === "" ? "elsewhere" : `${name}, elsewhere`;
  return `${name}, version ${dataset.split("@")[1] ?? ""}`;
}
