/** A frame that takes longer is one of fewer than 50 a second. */
const slowMs = 20;
/** A frame that takes less only waited for the screen. */
const quickMs = 18;
/** So few show the shape of a map, and every renderer draws them in a frame. */
const fewestPoints = 20_000;
/** What the first frame draws: few cards need be spared as many. */
const startPoints = 400_000;

/**
 * How many points a frame draws, so that a map follows the hand: fewer after a slow frame, more after a quick one. What
 * a frame has left over is drawn by the next, unless the map has moved on.
 */
export class FrameBudget {
  #numPoints = startPoints;
  #lastAt: number | null = null;

  /** @param at when the frame begins, in milliseconds @returns how many points it draws */
  next(at: number): number {
    const took = this.#lastAt === null ? null : at - this.#lastAt;
    this.#lastAt = at;
    if (took !== null && took > slowMs) this.#numPoints = Math.max(fewestPoints, Math.round(this.#numPoints * 0.7));
    if (took !== null && took < quickMs) this.#numPoints = Math.round(this.#numPoints * 1.15);
    return this.#numPoints;
  }

  /** Everything is drawn: the pause until the next movement is no slow frame. */
  rest(): void {
    this.#lastAt = null;
  }
}
