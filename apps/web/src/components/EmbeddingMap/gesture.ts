import { panBy, type Size, type View, zoomAt } from "./view.ts";

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A finger or mouse that moved less than this far was a tap. */
const tapPixels = 6;

/**
 * The pointers that hold the map, in pixels of its canvas: one drags it, two also zoom it, and one that goes up where
 * it went down was a tap.
 */
export class Gesture {
  readonly #held = new Map<number, Place>();
  #startedAt: Place | null = null;

  get isHeld(): boolean {
    return this.#held.size > 0;
  }

  down(id: number, place: Place): void {
    this.#startedAt = this.#held.size === 0 ? place : null;
    this.#held.set(id, place);
  }

  /** How the view changes; null for a pointer that does not hold the map, or a third one. */
  move(id: number, to: Place): ((view: View, size: Size) => View) | null {
    const from = this.#held.get(id);
    if (!from) return null;
    const [other, ...more] = [...this.#held].filter(([one]) => one !== id).map(([, place]) => place);
    this.#held.set(id, to);
    if (more.length > 0) return null;
    if (this.#startedAt && distance(this.#startedAt, to) > tapPixels) this.#startedAt = null;
    if (!other) return (view) => panBy(view, to.x - from.x, to.y - from.y);
    return (view, size) => pinched(view, size, [from, other], [to, other]);
  }

  /** @returns whether it was a tap */
  up(id: number): boolean {
    const wasTap = this.#held.size === 1 && this.#startedAt !== null && this.#held.has(id);
    this.#held.delete(id);
    this.#startedAt = null;
    return wasTap;
  }
}

/** What lay between two fingers lies between them still, and the map grows as they part. */
function pinched(view: View, size: Size, before: readonly [Place, Place], after: readonly [Place, Place]): View {
  const [was, is] = [middle(...before), middle(...after)];
  const factor = Math.max(distance(...after), 1) / Math.max(distance(...before), 1);
  return zoomAt(panBy(view, is.x - was.x, is.y - was.y), size, is.x, is.y, factor);
}

function middle(a: Place, b: Place): Place {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
