import { loadAddon } from "../backends/native/addon.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { NodeRange } from "../graph/csc-graph.ts";
import { readProcessUsage } from "../host/process-usage.ts";
import type { StepEvent } from "../spec/step-event.ts";
import type { StepClock } from "./step-clock.ts";

/** The nodes whose rows a rank has: its own range, and places of cached ones (-1: none) */
export interface OwnedRows extends NodeRange {
  readonly cachedSlots?: Int32Array | null;
}

/** Says every half second how fast this rank is and where its time goes. */
export class RankReporter {
  #localRows = 0;
  #remoteRows = 0;
  #cachedRows = 0;
  readonly #rank: RankContext;
  readonly #clock: StepClock;
  readonly #owned: OwnedRows;
  readonly #onEvent: (event: StepEvent) => void;

  /** @param owned the GlobalIds of the rank's own parts; every other row counts as remote */
  constructor(rank: RankContext, clock: StepClock, owned: OwnedRows, onEvent: (event: StepEvent) => void) {
    this.#rank = rank;
    this.#clock = clock;
    this.#owned = owned;
    this.#onEvent = onEvent;
  }

  /** Counts one finished step and reports if half a second has passed since the last report. */
  endStep(step: number, numSeeds: number, inputNodes: Int32Array): void {
    this.#clock.endStep(numSeeds);
    const { first, count, cachedSlots } = this.#owned;
    if (this.#rank.worldSize === 1) {
      this.#localRows += inputNodes.length;
      return this.tick(step);
    }
    const [local, cached] = loadAddon().countRows(inputNodes, first, count, cachedSlots ?? null);
    this.#localRows += local;
    this.#cachedRows += cached;
    this.#remoteRows += inputNodes.length - local - cached;
    this.tick(step);
  }

  /** Reports if half a second has passed since the last report: also a sign of life between steps. */
  tick(step: number): void {
    if (this.#clock.isDue) this.report(step);
  }

  report(step: number): void {
    const { rank, device } = this.#rank;
    this.#onEvent({
      type: "rank",
      rank,
      step,
      device,
      ...this.#clock.report(),
      rssBytes: process.memoryUsage.rss(),
      usage: readProcessUsage(),
      localRows: this.#localRows,
      remoteRows: this.#remoteRows,
      cachedRows: this.#cachedRows,
    });
  }
}
