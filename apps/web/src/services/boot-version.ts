/** A worker as it was started once, from its first minute that is kept to its last. */
export interface Boot {
  readonly version: string;
  readonly from: string;
  readonly to: string;
}

/** What a worker did is kept by the minute: work may have begun in the one before the first. */
const sampleMs = 60_000;

/** The version that a worker ran at a time; null where nothing is kept of then. */
export function bootVersion(boots: readonly Boot[], at: string): string | null {
  const time = Date.parse(at);
  const begun = boots.filter(({ from }) => Date.parse(from) - sampleMs <= time);
  const last = begun.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from)).at(-1);
  return last && time <= Date.parse(last.to) + sampleMs ? last.version : null;
}
