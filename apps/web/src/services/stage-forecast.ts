/** What becomes of a stage when the job is submitted now. */
export interface StageForecast {
  readonly kind: string;
  readonly fate: "REUSED" | "CONTINUED" | "ANEW";
  /** That of the checkpoint which training goes on from */
  readonly epoch: number | null;
}

export interface ForecastLine {
  readonly title: string;
  /** Names of the stages, in order */
  readonly stages: readonly string[];
}

/** Which stages are reused, go on, and run, in words; a job of which every stage runs has nothing to tell. */
export function forecastLines(stages: readonly StageForecast[]): readonly ForecastLine[] {
  if (stages.every(({ fate }) => fate === "ANEW")) return [];
  const continued = stages.find(({ fate }) => fate === "CONTINUED");
  const after = continued?.epoch ? `Goes on after epoch ${continued.epoch}` : "Goes on from the checkpoint";
  const titles = [
    ["REUSED", "Reused"],
    ["CONTINUED", after],
    ["ANEW", "Runs"],
  ] as const;
  return titles.flatMap(([wanted, title]) => {
    const kinds = stages.filter(({ fate }) => fate === wanted).map(({ kind }) => kind);
    return kinds.length > 0 ? [{ title, stages: kinds }] : [];
  });
}
