export interface SchemaType {
  readonly name: string;
  /** null: not counted */
  readonly count: number | null;
  readonly numFeatures: number;
}

export interface SchemaRelation {
  readonly source: string;
  readonly name: string;
  readonly target: string;
  readonly count: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export type TypeBox = SchemaType & Point;

/** All relations between two types, or within one: a line of the picture. */
export interface RelationLine {
  readonly from: TypeBox;
  readonly to: TypeBox;
  readonly relations: readonly SchemaRelation[];
  /** Where the line touches its boxes */
  readonly start: Point;
  readonly end: Point;
  readonly leadsOn: boolean;
  readonly leadsBack: boolean;
  readonly label: Point;
}

export interface SchemaLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly TypeBox[];
  readonly lines: readonly RelationLine[];
}

export const boxSize = { width: 160, height: 56 } as const;
/** Room for the loop of a relation within a type, and for the names beside the lines. */
const margin = { x: boxSize.width / 2 + 20, y: boxSize.height / 2 + 70 };

/**
 * Types on an ellipse in their order, so that no line between two of them runs through a third, and a line for each
 * pair of types that relations join.
 */
export function layOutSchema(types: readonly SchemaType[], relations: readonly SchemaRelation[]): SchemaLayout {
  const radius = {
    x: types.length === 1 ? 0 : Math.max(240, 45 * types.length),
    y: types.length < 3 ? 0 : 70 + 22 * types.length,
  };
  const [width, height] = [2 * (radius.x + margin.x), 2 * (radius.y + margin.y)];
  const boxes = types.map((type, i): TypeBox => {
    const angle = Math.PI + (2 * Math.PI * i) / types.length;
    return { ...type, x: width / 2 + radius.x * Math.cos(angle), y: height / 2 + radius.y * Math.sin(angle) };
  });
  const lines = pairsOf(relations).flatMap((pair) => lineOf(pair, boxes));
  return { width, height, boxes, lines };
}

function pairsOf(relations: readonly SchemaRelation[]): readonly (readonly SchemaRelation[])[] {
  const pairs = new Map<string, SchemaRelation[]>();
  for (const relation of relations) {
    const key = JSON.stringify([relation.source, relation.target].toSorted());
    pairs.set(key, [...(pairs.get(key) ?? []), relation]);
  }
  return [...pairs.values()];
}

function lineOf(relations: readonly SchemaRelation[], boxes: readonly TypeBox[]): RelationLine[] {
  const [first] = relations;
  const from = boxes.find(({ name }) => name === first?.source);
  const to = boxes.find(({ name }) => name === first?.target);
  if (!from || !to) return [];
  const leadsOn = relations.some(({ source }) => source === from.name);
  const leadsBack = relations.some(({ source }) => source === to.name);
  if (from === to) {
    const top = { x: from.x, y: from.y - boxSize.height / 2 };
    const label = { x: top.x, y: top.y - 46 };
    return [
      {
        from,
        to,
        relations,
        start: { ...top, x: top.x - 22 },
        end: { ...top, x: top.x + 22 },
        leadsOn,
        leadsBack: false,
        label,
      },
    ];
  }
  // Lines that cross do so in their middle: names stand before it, where there are enough types for that.
  const share = boxes.length > 3 ? 0.38 : 0.5;
  const label = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  return [
    { from, to, relations, start: borderTowards(from, to), end: borderTowards(to, from), leadsOn, leadsBack, label },
  ];
}

/** Where the line from a box's middle to another point leaves the box, a little outside. */
function borderTowards(box: Point, other: Point): Point {
  const [dx, dy] = [other.x - box.x, other.y - box.y];
  const reach = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : (boxSize.width / 2 + 4) / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : (boxSize.height / 2 + 4) / Math.abs(dy),
  );
  return { x: box.x + dx * reach, y: box.y + dy * reach };
}
