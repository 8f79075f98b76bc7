import type { EmbeddingMapData } from "./embedding-map.ts";

/** Nodes that two maps are laid over each other by: more would not turn them further. */
const mostMatched = 2000;
/** A map of more points is not searched for single nodes. */
const mostSearched = 100_000;

/** Nodes of two maps by their places: those of one, and in the same order those of the other. */
export interface MatchedPlaces {
  readonly from: readonly (readonly [number, number])[];
  readonly to: readonly (readonly [number, number])[];
}

type Placed = Pick<EmbeddingMapData, "points" | "titleOf" | "find">;

/** Nodes that both maps have. Maps of one graph mostly draw the same nodes in the same order. */
export function matchedPlaces(map: Placed, base: Placed): MatchedPlaces {
  const count = base.points.x.length;
  const every = Math.max(1, Math.floor(count / mostMatched));
  const [from, to]: [[number, number][], [number, number][]] = [[], []];
  for (let point = 0; point < count; point += every) {
    const title = base.titleOf(point);
    const isSame = point < map.points.x.length && map.titleOf(point) === title;
    const found = isSame ? point : map.points.x.length <= mostSearched ? map.find(title) : null;
    if (found === null) continue;
    from.push([map.points.x[found] ?? 0, map.points.y[found] ?? 0]);
    to.push([base.points.x[point] ?? 0, base.points.y[point] ?? 0]);
  }
  return { from, to };
}

/** Turns a place, or turns it over as well: (x, y) ↦ (cos x − sin y, sin x + cos y), of y or of −y. */
export interface Turn {
  readonly cos: number;
  readonly sin: number;
  readonly isMirrored: boolean;
}

/**
 * The turn that brings places nearest to others, by least squares about their middles: the orthogonal Procrustes
 * problem (Schönemann 1966), which in the plane needs no decomposition. Principal axes and UMAP leave open how a map
 * lies, so that maps of two epochs can look unlike although nothing but their turn has changed.
 */
export function turnBetween({ from, to }: MatchedPlaces): Turn {
  const [fromMiddle, toMiddle] = [middleOf(from), middleOf(to)];
  let [turnedCos, turnedSin, mirroredCos, mirroredSin] = [0, 0, 0, 0];
  for (const [i, [fromX, fromY]] of from.entries()) {
    const [toX, toY] = to[i] ?? [0, 0];
    const [px, py] = [fromX - fromMiddle[0], fromY - fromMiddle[1]];
    const [qx, qy] = [toX - toMiddle[0], toY - toMiddle[1]];
    turnedCos += px * qx + py * qy;
    turnedSin += px * qy - py * qx;
    mirroredCos += px * qx - py * qy;
    mirroredSin += px * qy + py * qx;
  }
  const isMirrored = Math.hypot(mirroredCos, mirroredSin) > Math.hypot(turnedCos, turnedSin);
  const [cos, sin] = isMirrored ? [mirroredCos, mirroredSin] : [turnedCos, turnedSin];
  const length = Math.hypot(cos, sin);
  return length === 0 ? { cos: 1, sin: 0, isMirrored: false } : { cos: cos / length, sin: sin / length, isMirrored };
}

/** The map, turned so that it lies as another does. */
export function alignedMap(map: EmbeddingMapData, base: EmbeddingMapData): EmbeddingMapData {
  const { cos, sin, isMirrored } = turnBetween(matchedPlaces(map, base));
  const { x, y, groups } = map.points;
  const points = { x: new Float32Array(x.length), y: new Float32Array(x.length), groups };
  for (let i = 0; i < x.length; i++) {
    const [px, py] = [x[i] ?? 0, isMirrored ? -(y[i] ?? 0) : (y[i] ?? 0)];
    points.x[i] = cos * px - sin * py;
    points.y[i] = sin * px + cos * py;
  }
  return { ...map, points };
}

function middleOf(places: readonly (readonly [number, number])[]): [number, number] {
  const count = Math.max(1, places.length);
  return [places.reduce((sum, [x]) => sum + x, 0) / count, places.reduce((sum, [, y]) => sum + y, 0) / count];
}
