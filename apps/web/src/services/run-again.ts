/** What a run is repeated with, as it stands in the fields of the dialog. */
export interface RunAgainText {
  readonly from: "CHECKPOINT" | "START";
  readonly epochs: string;
  readonly hours: string;
}

export interface RunAgainRequest {
  readonly from: "CHECKPOINT" | "START";
  readonly epochs?: number;
  readonly maxDuration?: string;
}

/** The request that the fields mean, or what is wrong with each. */
export function readRunAgain({ from, epochs, hours }: RunAgainText): {
  readonly request: RunAgainRequest | null;
  readonly problems: { readonly epochs: string | null; readonly hours: string | null };
} {
  const numEpochs = Number(epochs.trim());
  const numHours = Number(hours.trim());
  const isWhole = Number.isInteger(numEpochs) && numEpochs >= 1 && numEpochs <= 100_000;
  const problems = {
    epochs: isWhole ? null : `Found "${epochs.trim()}", expected 1 to 100000.`,
    hours: numHours > 0 && numHours <= 10_000 ? null : `Found "${hours.trim()}", expected more than 0 hours.`,
  };
  if (problems.epochs !== null || problems.hours !== null) return { request: null, problems };
  return { request: { from, epochs: numEpochs, maxDuration: durationOf(numHours) }, problems };
}

/** 2.5 → "PT2H30M" */
function durationOf(hours: number): string {
  const minutes = Math.max(1, Math.round(hours * 60));
  const whole = Math.floor(minutes / 60);
  return `PT${whole > 0 ? `${whole}H` : ""}${minutes % 60 > 0 ? `${minutes % 60}M` : ""}`;
}

/** "P1DT2H30M" → 26.5; null for what is no duration of days, hours, minutes and seconds */
export function hoursOf(duration: unknown): number | null {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(String(duration));
  if (!found) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  return Number((days * 24 + hours + minutes / 60 + seconds / 3600).toFixed(2));
}

interface StoredCheckpoint {
  readonly id: string;
  readonly epoch: number | null;
  readonly step: number | null;
}

/** The checkpoint that is furthest; undefined: there is none. */
export function lastOf(checkpoints: readonly StoredCheckpoint[]): string | undefined {
  const place = ({ epoch, step }: StoredCheckpoint) => [epoch ?? 0, step ?? 0] as const;
  const isBefore = (a: StoredCheckpoint, b: StoredCheckpoint) => {
    const [[epoch, step], [otherEpoch, otherStep]] = [place(a), place(b)];
    return epoch === otherEpoch ? step - otherStep : epoch - otherEpoch;
  };
  return checkpoints.toSorted(isBefore).at(-1)?.id;
}
