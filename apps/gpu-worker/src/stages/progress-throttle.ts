import { maxPointsPerEvent, memberName, type StageEvent, type WorkerEventBody } from "@hopwise/contracts";

type Metrics = Extract<StageEvent, { type: "metrics" }>;
type MetricsTold = Extract<WorkerEventBody, { type: "metrics" }>;

const periodMs = 250;
/** How many events of progress, members and metrics together one period may have: at most 40 a second. */
const perPeriod = 10;

/**
 * Thins what a stage tells while it runs. Of `progress`, and of `member` per member, at most four a second go on, and
 * the newest always does in the end; of a group with many members fewer, in turn. `metrics` are all kept: those of a
 * quarter second go on together. Logs pass unchanged.
 */
export class ProgressThrottle {
  readonly #forward: (body: WorkerEventBody) => void;
  /** The newest of each slot, the one that has waited longest first. */
  readonly #held = new Map<string, StageEvent>();
  readonly #points = new Map<Metrics["axis"], MetricsTold["points"]>();
  readonly #sentAt = new Map<string, number>();
  #periodBegan = Number.NEGATIVE_INFINITY;
  #sentInPeriod = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(forward: (body: WorkerEventBody) => void) {
    this.#forward = forward;
  }

  push(event: StageEvent): void {
    const slot = slotOf(event);
    if (slot === null) {
      this.#forward({ type: "step", event });
      return;
    }
    if (event.type === "metrics") this.#keepPoint(event);
    else this.#hold(slot, event);
    // Not before others that wait for room in the period.
    if (this.#mayGo(slot) && this.#sentInPeriod + this.#waiting().length <= perPeriod) this.#send(slot);
    else this.#timer ??= setTimeout(() => this.#tick(), periodMs);
  }

  /** Sends what is held back; call it before the end of a stage. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const slot of this.#waiting()) this.#send(slot);
  }

  #tick(): void {
    this.#timer = undefined;
    for (const slot of this.#waiting()) if (this.#mayGo(slot)) this.#send(slot);
    if (this.#waiting().length > 0) this.#timer = setTimeout(() => this.#tick(), periodMs);
  }

  /** Metrics first: nothing replaces them. */
  #waiting(): string[] {
    return [...[...this.#points.keys()].map((axis) => `metrics ${axis}`), ...this.#held.keys()];
  }

  /** A phase that has begun says that those before it are over: what they still had to tell would lead back to them. */
  #hold(slot: string, event: StageEvent): void {
    if (event.type === "progress")
      for (const other of this.#held.keys())
        if (other.startsWith("progress ") && other !== slot) this.#held.delete(other);
    this.#held.set(slot, event);
  }

  #keepPoint({ axis, step, values }: Metrics): void {
    const points = this.#points.get(axis) ?? [];
    points.push({ at: new Date().toISOString(), step, values });
    this.#points.set(axis, points);
    if (points.length >= maxPointsPerEvent) this.#send(`metrics ${axis}`);
  }

  #mayGo(slot: string): boolean {
    const now = performance.now();
    if (now - this.#periodBegan >= periodMs) {
      this.#periodBegan = now;
      this.#sentInPeriod = 0;
    }
    return this.#sentInPeriod < perPeriod && now - (this.#sentAt.get(slot) ?? Number.NEGATIVE_INFINITY) >= periodMs;
  }

  #send(slot: string): void {
    const body = this.#take(slot);
    if (!body) return;
    this.#sentAt.set(slot, performance.now());
    this.#sentInPeriod++;
    this.#forward(body);
  }

  #take(slot: string): WorkerEventBody | null {
    const event = this.#held.get(slot);
    if (this.#held.delete(slot) && event) return { type: "step", event };
    const axis = slot === "metrics step" ? "step" : "epoch";
    const points = this.#points.get(axis);
    if (!points || slot !== `metrics ${axis}`) return null;
    this.#points.delete(axis);
    return { type: "metrics", axis, points };
  }
}

function slotOf(event: StageEvent): string | null {
  if (event.type === "progress") return `progress ${event.phase}`;
  if (event.type === "metrics") return `metrics ${event.axis}`;
  return event.type === "member" ? `member ${memberName(event.member)}` : null;
}
