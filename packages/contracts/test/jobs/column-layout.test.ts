import { datasetSpec } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { columnLayout, type GraphForm, graphForm, unreadByModel } from "../../src/index.ts";
import { featureBlocks } from "../../src/jobs/feature-blocks.ts";
import { featureObjection, sameColumnsObjection } from "../../src/jobs/feature-objection.ts";

type Features = GraphForm["features"];
type Block = NonNullable<Features["blocks"]>[number];

const kinds = (name: string, ...columns: string[]): Block => ({
  type: null,
  name,
  made: "kinds",
  dim: columns.length,
  columns,
});
const numbers = (...columns: string[]): Block => ({
  type: null,
  name: "",
  made: "numbers",
  dim: columns.length,
  columns,
});
const lists = (name: string, dim: number): Block => ({ type: null, name, made: "indices", dim, columns: null });
const ofType = (type: string, block: Block): Block => ({ ...block, type });

function features(blocks: Block[] | null, types: Features["types"] = null): Features {
  const dim = (blocks ?? []).reduce((sum, block) => sum + block.dim, 0);
  return { kind: "dense", dim, columns: null, types, blocks };
}

const formOf = (found: Features) => ({ features: found }) as GraphForm;
const learnt = features([kinds("atom", "C", "N", "O"), numbers("age"), lists("words", 5)]);

describe("the columns of a graph, where the model reads them", () => {
  it("are its own where nothing differs", () => {
    expect(columnLayout(learnt, structuredClone(learnt))).toBeNull();
  });

  it("leave out kinds that the model does not know and leave zeros for those that do not occur", () => {
    const graph = features([kinds("atom", "C", "O", "Xe"), numbers("age"), lists("words", 5)]);
    expect(columnLayout(learnt, graph)).toEqual({
      dim: 9,
      runs: [
        { from: 0, to: 0, count: 1 },
        { from: 1, to: 2, count: 1 },
        { from: 3, to: 3, count: 6 },
      ],
      types: null,
    });
    expect(featureObjection(formOf(learnt), formOf(graph))).toBeNull();
  });

  it("count the same kinds of another order by their names", () => {
    const graph = features([kinds("atom", "O", "N", "C"), numbers("age"), lists("words", 5)]);
    expect(
      columnLayout(learnt, graph)
        ?.runs.slice(0, 3)
        .map(({ to }) => to),
    ).toEqual([2, 1, 0]);
  });

  it("are as many of lists as both have", () => {
    const wider = features([kinds("atom", "C", "N", "O"), numbers("age"), lists("words", 7)]);
    expect(columnLayout(learnt, wider)).toMatchObject({
      runs: [{ from: 0, to: 0, count: 9 }],
    });
    const narrower = features([kinds("atom", "C", "N", "O"), numbers("age"), lists("words", 2)]);
    expect(columnLayout(learnt, narrower)).toMatchObject({ dim: 9, runs: [{ from: 0, to: 0, count: 6 }] });
  });

  it("are those of each type of node, whose ranges are the model's", () => {
    const blocksOf = (atoms: string[], bonds: string[]) => [
      ofType("atom", kinds("kind", ...atoms)),
      ofType("bond", kinds("kind", ...bonds)),
    ];
    const read = features(blocksOf(["C", "N"], ["double", "single"]), [
      { name: "atom", dim: 2 },
      { name: "bond", dim: 2 },
    ]);
    const found = features(blocksOf(["N"], ["single", "triple"]), [
      { name: "atom", dim: 1 },
      { name: "bond", dim: 2 },
    ]);
    expect(columnLayout(read, found)).toEqual({
      dim: 4,
      runs: [
        { from: 0, to: 1, count: 1 },
        { from: 1, to: 3, count: 1 },
      ],
      types: [
        { name: "atom", first: 0, dim: 2 },
        { name: "bond", first: 2, dim: 2 },
      ],
    });
    expect(featureObjection(formOf(read), formOf(found))).toBeNull();
  });
});

describe("what of a graph a model does not read", () => {
  const typed = (found: Features, edgeTypes: string[]) => ({ features: found, edgeTypes }) as GraphForm;
  const read = features([kinds("atom", "C", "N"), lists("words", 5), ofType("bond", kinds("kind", "single"))]);

  it("is nothing where it has no kinds, indices or relations more", () => {
    const fewer = features([kinds("atom", "N"), lists("words", 3), ofType("bond", kinds("kind", "single"))]);
    expect(unreadByModel(typed(read, ["a", "b"]), typed(fewer, ["b"]))).toEqual([]);
  });

  it("is told with the values, and the relations", () => {
    const more = features([kinds("atom", "C", "Xe"), lists("words", 7), ofType("bond", kinds("kind", "triple"))]);
    expect(unreadByModel(typed(read, ["a"]), typed(more, ["a", "z"]))).toEqual([
      'The model has not learnt some values that the graph has, and reads zeros in their place: "atom" "Xe"; "words" from index 5 on; "bond.kind" "triple".',
      'The model has not learnt edges of the type "z", and the job leaves them out.',
    ]);
  });
});

describe("the features of a graph are refused", () => {
  it.each<[string, Block[], RegExp]>([
    [
      "without a column of kinds",
      [numbers("age"), lists("words", 5)],
      /lacks the kinds of "atom" that the model reads/,
    ],
    [
      "with a further column of kinds",
      [kinds("atom", "C"), kinds("charge", "+"), numbers("age"), lists("words", 5)],
      /trained without the kinds of "charge"/,
    ],
    ["without lists", [kinds("atom", "C"), numbers("age")], /lacks the lists of indices "words"/],
    ["without numbers", [kinds("atom", "C"), lists("words", 5)], /lacks the columns "age"/],
    ["with other numbers", [kinds("atom", "C"), numbers("weight"), lists("words", 5)], /lacks "age" of the model's/],
  ])("%s", (_, blocks, message) => {
    expect(featureObjection(formOf(learnt), formOf(features(blocks)))).toMatch(message);
  });

  it("where an earlier release has not kept what columns were made of", () => {
    const older: Features = { ...features(null), dim: 9 };
    const graph = features([kinds("atom", "C", "O"), numbers("age"), lists("words", 5)]);
    expect(featureObjection(formOf(older), formOf(graph))).toMatch(/keep the model of its job under another name/);
    expect(columnLayout(older, graph)).toBeNull();
  });

  it("to a training that starts from a model, where kinds are not the same", () => {
    expect(sameColumnsObjection(formOf(learnt), formOf(learnt))).toBeNull();
    const graph = features([kinds("atom", "C", "N", "Xe"), numbers("age"), lists("words", 5)]);
    expect(sameColumnsObjection(formOf(learnt), formOf(graph))).toMatch(/"atom" has other values here/);
  });
});

describe("what the columns of features were made of", () => {
  const nodes = { files: ["nodes.csv"], id: "id" };
  const edges = { files: ["edges.csv"], src: "a", dst: "b" };

  it("is told of kinds, numbers with vectors and indicators, and lists, in this order", () => {
    const chosen = {
      columns: ["age", "vec"],
      widths: { vec: 3 },
      missing: { age: { fill: 0, indicator: true } },
      oneHot: ["atom"],
      multiHot: "words",
    };
    const spec = datasetSpec.parse({ edges, nodes: { ...nodes, features: chosen } });
    const counted = { kind: "csr", dim: 12, oneHot: [{ name: "atom", values: ["C", "N"] }] } as const;
    expect(featureBlocks(spec, counted)).toEqual([
      kinds("atom", "C", "N"),
      { ...numbers("age", "age is missing", "vec[3]"), dim: 5 },
      lists("words", 5),
    ]);
  });

  it("is told type by type, where two types have columns of one name", () => {
    const typed = (file: string) => ({ files: [file], id: "id", features: { columns: [], oneHot: ["kind"] } });
    const spec = datasetSpec.parse({
      nodeTypes: { atom: typed("atoms.csv"), bond: typed("bonds.csv"), ring: { files: ["rings.csv"], id: "id" } },
      relations: [{ source: "atom", name: "in", target: "bond", files: ["in.csv"], src: "a", dst: "b" }],
    });
    const counted = {
      kind: "csr",
      dim: 3,
      types: [
        { name: "atom", dim: 1 },
        { name: "bond", dim: 2 },
        { name: "ring", dim: 0 },
      ],
      oneHot: [
        { name: "atom.kind", values: ["C"] },
        { name: "bond.kind", values: ["double", "single"] },
      ],
    } as const;
    expect(featureBlocks(spec, counted)).toEqual([
      ofType("atom", kinds("kind", "C")),
      ofType("bond", kinds("kind", "double", "single")),
    ]);
  });

  it("is a matrix without names, and not known of a mapping that this release does not read", () => {
    const spec = datasetSpec.parse({ edges, nodes: { ...nodes, features: { file: "x.npy" } } });
    expect(featureBlocks(spec, { kind: "dense", dim: 7 })).toEqual([
      { type: null, name: "", made: "numbers", dim: 7, columns: null },
    ]);
    expect(featureBlocks(null, { kind: "dense", dim: 7 })).toBeNull();
    expect(featureBlocks(null, { kind: "none", dim: 0 })).toEqual([]);
  });

  it("is refused in an uploaded card that says another number of columns, or one column twice", () => {
    const card = (blocks: Block[], dim: number) =>
      graphForm.shape.features.safeParse({ ...features(blocks), dim }).success;
    expect(card([kinds("atom", "C", "N"), numbers("age")], 3)).toBe(true);
    expect(card([kinds("atom", "C", "N"), numbers("age")], 4)).toBe(false);
    expect(card([kinds("atom", "C", "C"), numbers("age")], 3)).toBe(false);
    expect(card([kinds("atom", "C"), kinds("atom", "N")], 2)).toBe(false);
  });
});
