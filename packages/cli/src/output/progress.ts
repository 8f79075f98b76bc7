import type { JobEvent } from "@hopwise/client";
import { printable } from "./table.ts";

type Stage = Extract<JobEvent, { type: "StageProgressed" }>["body"];

/** How a stage is getting on: its name, phase, how much of how much, share and time left. */
export function progressLine({ kind, state, cached, phase, completed, total, unit, etaSeconds }: Stage): string {
  if (cached) return `${kind}: reused`;
  if (state !== "RUNNING") return `${kind}: ${state.toLowerCase()}`;
  const amount =
    completed === null ? "" : total === null ? `${completed}` : `${completed} of ${total}${unit ? ` ${unit}` : ""}`;
  const share = completed !== null && total ? `${Math.floor((100 * completed) / total)} %` : "";
  const left = etaSeconds === null ? "" : `${duration(etaSeconds)} left`;
  return printable([`${kind}:`, phase, amount, share, left].filter(Boolean).join("  "));
}

/** How far bytes are on their way, and how long the rest takes at the rate since the first report. */
export class ByteProgress {
  readonly #what: string;
  readonly #atEnd: string | null;
  readonly #now: () => number;
  #first: { readonly bytes: number; readonly ms: number } | null = null;

  /**
   * @param what  `upload:  edges.csv`
   * @param atEnd what is waited for once all bytes are there; null: nothing
   */
  constructor(what: string, atEnd: string | null = null, now: () => number = () => performance.now()) {
    this.#what = what;
    this.#atEnd = atEnd;
    this.#now = now;
  }

  /** What, amount, share and time left; total null: nobody knows it. */
  line(bytes: number, total: number | null): string {
    const ms = this.#now();
    const first = (this.#first ??= { bytes, ms });
    const perMs = (bytes - first.bytes) / (ms - first.ms);
    if (total === null) return `${this.#what}  ${bytes} bytes`;
    if (bytes === total && this.#atEnd !== null) return `${this.#what}  ${total} bytes  ${this.#atEnd}`;
    const share = total > 0 ? `${Math.floor((100 * bytes) / total)} %` : "";
    const left = perMs > 0 ? `${duration((total - bytes) / perMs / 1000)} left` : "";
    return [this.#what, `${bytes} of ${total} bytes`, share, left].filter(Boolean).join("  ");
  }
}

/** Two units at most: 1 h 5 min, 12 s. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** What an event says in a line of its own; null: nothing that is worth one. */
export function eventLine(event: JobEvent): string | null {
  switch (event.type) {
    case "JobStateChanged":
      return `job: ${event.body.state.toLowerCase()}`;
    case "IncidentRaised":
      return printable(`${event.body.code}: ${event.body.message}`);
    case "MetricsRecorded": {
      const values = event.body.values.flatMap(({ name, value }) =>
        value === null ? [] : `${name} ${value.toPrecision(4)}`,
      );
      return event.body.axis === "epoch" && values.length > 0 ? `epoch ${event.body.step}: ${values.join(", ")}` : null;
    }
    default:
      return null;
  }
}
