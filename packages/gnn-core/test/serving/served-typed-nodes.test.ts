import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readNpy } from "../../src/io/npy.ts";
import type { NewEdge, NewNode } from "../../src/serving/new-nodes/new-node.ts";
import { withInfo } from "../support/with-info.ts";
import { academicGrowth } from "./support/academic-graph.ts";
import { bareAuthorsGrowth, numAuthors } from "./support/bare-types-graph.ts";
import { ingested, served, trained } from "./support/grown-graphs.ts";
import { oneTableGrowth } from "./support/one-table-graph.ts";
import { expectAsReingested, ingestedFrom, servedOn } from "./support/typed-graphs.ts";

const rgcn = { type: "rgcn", options: { numLayers: 2, hiddenFeats: 8 } };
const hgt = { type: "hgt", options: { numLayers: 2, hiddenFeats: 8, heads: 2 } };
const typedModels = [
  { type: "rsage", options: { numLayers: 2, hiddenFeats: 8 } },
  rgcn,
  { type: "rgat", options: { numLayers: 2, hiddenFeats: 4, heads: 2 } },
  hgt,
  { type: "simpleHgn", options: { numLayers: 2, hiddenFeats: 4, heads: 2 } },
];

describe.each(typedModels)("new nodes get from $type what they get once they are ingested", (model) => {
  it("where each type has a table", () =>
    expectAsReingested(academicGrowth({ shareIds: false, hasWeights: true }), { model }));

  it("where one table has a column of types, and edges lead back as others", () =>
    expectAsReingested(oneTableGrowth({ reverseTypes: true }), { model }));
});

describe("new nodes get what they get once they are ingested", () => {
  it("where ids of two types are alike, so that those of the graph have their type before them", () =>
    expectAsReingested(academicGrowth({ shareIds: true, hasWeights: false }), { model: rgcn }));

  it("where repeated edges and self-loops stay", () => {
    const form = { shareIds: false, hasWeights: true, duplicates: "keep", selfLoops: "keep" } as const;
    return expectAsReingested(academicGrowth(form), { model: rgcn });
  });

  it.each([
    { name: "directed", form: { directed: true } },
    { name: "undirected, of the same type in both directions", form: {} },
  ])("where edges of one table are $name", ({ form }) => expectAsReingested(oneTableGrowth(form), { model: rgcn }));

  it.each(["sage", "gcn"])("from %s, which tells no types apart and reads the columns of all of them", (type) =>
    expectAsReingested(academicGrowth({ shareIds: false, hasWeights: true }), {
      model: { type, options: { numLayers: 2, hiddenFeats: 8 } },
    }),
  );

  it("beside known nodes with learned rows, which lie in another order than the nodes", async () => {
    const order = async (texts: Readonly<Record<string, string>>) => {
      const { parts } = await ingestedFrom(texts, bareAuthorsGrowth().spec);
      const { values } = await readNpy(join(parts.dir, "node_map.npy"), "int32");
      return [...values].filter((node) => node < numAuthors);
    };
    const [before, after] = [await order(bareAuthorsGrowth().before), await order(bareAuthorsGrowth().after)];
    expect(before).not.toEqual(before.toSorted((a, b) => a - b));
    const idOf = { before: (node: number) => node, after: (node: number) => numAuthors - 1 - node };
    expect(after.map(idOf.after)).not.toEqual(before.map(idOf.before));
    await expectAsReingested(bareAuthorsGrowth(), { model: hgt });
  });
});

describe("new nodes of a typed graph are refused with the place of what does not fit", () => {
  const opened = async (growth: ReturnType<typeof academicGrowth>, model = rgcn) => {
    const cut = await ingestedFrom(growth.before, growth.spec);
    const options = { task: { target: "label" }, model, sampling: { type: "full" } };
    return servedOn(cut, await trained(cut, options));
  };
  const refuses = async (
    infer: (nodes: readonly NewNode[]) => Promise<unknown>,
    table: readonly (readonly [asked: NewNode | readonly NewNode[], code: string, pointer: string, says?: string])[],
  ) => {
    for (const [nodes, code, pointer, says] of table) {
      const asked = infer([nodes].flat());
      await expect(asked, pointer).rejects.toMatchObject({ code, place: { pointer } });
      if (says !== undefined) await expect(asked).rejects.toThrow(says);
    }
  };

  it("types, relations, ends and columns of tables of their own", async () => {
    const { open, infer } = await opened(academicGrowth({ shareIds: false, hasWeights: true }));
    const features = { x: 1, y: 2, kind: "demo" };
    const paper = { id: "new", type: "paper", features };
    const author = { id: "ada", type: "author", features: { age: 1 } };
    const [edge, at] = ["/nodes/0/edges/0", (one: NewEdge): NewNode => ({ ...paper, edges: [one] })] as const;
    await refuses(infer, [
      [{ id: "new", features }, "SPEC_INVALID", "/nodes/0/type", "expected one of author, paper, venue"],
      [{ ...paper, type: "book" }, "SPEC_INVALID", "/nodes/0/type", 'no type of node "book"'],
      [{ ...paper, id: "p1" }, "NODE_EXISTS", "/nodes/0/id"],
      [[paper, paper], "NODE_EXISTS", "/nodes/1/id"],
      [at({ to: "p1" }), "SPEC_INVALID", `${edge}/relation`, "expected one of writes, cites, alike, in"],
      [at({ relation: "reads", to: "p1" }), "SPEC_INVALID", `${edge}/relation`, 'no relation "reads"'],
      [at({ relation: "rev_cites", to: "p1" }), "SPEC_INVALID", `${edge}/relation`, "name cites"],
      [at({ relation: "writes", to: "p1", weight: 1 }), "SPEC_INVALID", `${edge}/relation`, "from author to paper"],
      [at({ relation: "in", from: "p1" }), "SPEC_INVALID", `${edge}/relation`, "from paper to venue"],
      [at({ relation: "cites", to: "a1" }), "NODE_UNKNOWN", `${edge}/to`, "of the type author"],
      [at({ relation: "cites", from: "nobody" }), "NODE_UNKNOWN", `${edge}/from`, "of the type paper"],
      [[at({ relation: "cites", to: "ada" }), author], "NODE_UNKNOWN", `${edge}/to`, "of the type author"],
      [at({ relation: "writes", from: "a1" }), "SPEC_INVALID", `${edge}/weight`],
      [at({ relation: "cites", to: "p1", weight: 1 }), "SPEC_INVALID", `${edge}/weight`, "of this relation"],
      [at({ relation: "cites", from: "p1", to: "p2" }), "SPEC_INVALID", edge],
      [{ ...paper, features: { age: 1 } }, "SPEC_INVALID", "/nodes/0/features/age"],
      [{ ...paper, features: { x: 1, kind: "demo" } }, "SPEC_INVALID", "/nodes/0/features/y"],
      [{ ...paper, features: { ...features, kind: "talk" } }, "SPEC_INVALID", "/nodes/0/features/kind"],
      [{ ...paper, features: [1, 2] }, "SPEC_INVALID", "/nodes/0/features"],
      [{ id: "v9", type: "venue", features: [1, 2] }, "SPEC_INVALID", "/nodes/0/features", "expected an object"],
      [{ ...author, features: { age: "old" } }, "SPEC_INVALID", "/nodes/0/features/age"],
    ]);
    await expect(infer(Array.from({ length: 1001 }, () => author))).rejects.toMatchObject({ code: "NODE_TOO_COSTLY" });
    open.retire();
  });

  it("edges that are there twice, of a dataset that takes none twice", async () => {
    const growth = academicGrowth({ shareIds: false, hasWeights: false });
    const once = (text: string) => [...new Set(text.split("\n"))].join("\n");
    const before = Object.fromEntries(Object.entries(growth.before).map(([name, text]) => [name, once(text)]));
    const spec = { ...growth.spec, duplicates: "error" };
    const { open, infer } = await opened({ ...growth, before, spec });
    const paper = { id: "new", type: "paper", features: { x: 1, y: 2, kind: "demo" } };
    const cites = { relation: "cites", to: "p1" };
    await refuses(infer, [[{ ...paper, edges: [cites, cites] }, "SPEC_INVALID", "/nodes/0/edges/1"]]);
    const apart = [cites, { relation: "cites", from: "p1" }, { relation: "alike", to: "p1" }];
    expect((await infer([{ ...paper, edges: apart }])).outputs.length).toBe(3);
    open.retire();
  });

  it("types and relations of one table, and of graphs that have none", async () => {
    const table = oneTableGrowth({ reverseTypes: true });
    const { open, infer } = await opened(table);
    const node = { id: "x", type: "user", features: { a: 1, b: 2 } };
    const at = (one: NewEdge) => ({ ...node, edges: [{ weight: 1, ...one }] });
    const edge = "/nodes/0/edges/0";
    await refuses(infer, [
      [{ ...node, type: "shop" }, "SPEC_INVALID", "/nodes/0/type"],
      [at({ to: "n1" }), "SPEC_INVALID", `${edge}/relation`, "expected one of likes, sees"],
      [at({ relation: "rev_likes", to: "n1" }), "SPEC_INVALID", `${edge}/relation`, "name likes"],
      [at({ relation: "likes", to: "nobody" }), "NODE_UNKNOWN", `${edge}/to`],
    ]);
    open.retire();
  });

  it("of a type without features, of which the model has a learned row for each node; without their order all", async () => {
    const cut = await ingestedFrom(bareAuthorsGrowth().before, bareAuthorsGrowth().spec);
    const artifact = await trained(cut, { task: { target: "label" }, model: hgt, sampling: { type: "full" } });
    const { open, infer } = await servedOn(cut, artifact);
    await refuses(infer, [[{ id: "ada", type: "author" }, "SPEC_INVALID", "/nodes/0/type", "a row for each of them"]]);
    open.retire();
    (await served(cut, artifact)).open.retire();
    const ofEarlierRelease = withInfo(artifact, { learnedRows: undefined });
    (await servedOn(cut, ofEarlierRelease)).open.retire();
    await expect(served(cut, ofEarlierRelease)).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/nodes" },
    });
  });
});

it("a node of a graph without types is refused with a type or a relation", async () => {
  const cut = await ingested({ directed: true, hasWeights: false }, false);
  const model = { type: "sage", options: { numLayers: 1 } };
  const artifact = await trained(cut, { task: { target: "label" }, model, sampling: { type: "full" } });
  const { open, infer } = await served(cut, artifact);
  const node = { id: "x", features: { a: 1, v: [2, 3] } };
  const pointer = "/nodes/0/edges/0/relation";
  await expect(infer([{ ...node, type: "user" }])).rejects.toMatchObject({ place: { pointer: "/nodes/0/type" } });
  const asked = infer([{ ...node, edges: [{ to: "n1", relation: "likes" }] }]);
  await expect(asked).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer } });
  open.retire();
});

it("questions about nodes of different types at the same time are answered as one after the other", async () => {
  const growth = academicGrowth({ shareIds: false, hasWeights: false });
  const cut = await ingestedFrom(growth.before, growth.spec);
  const options = { task: { target: "label" }, model: hgt, sampling: { type: "full" } };
  const { open, infer } = await servedOn(cut, await trained(cut, options));
  const asked = growth.given.map((node) => [{ ...node, edges: [] }]);
  const alone = [];
  for (const nodes of asked) alone.push(await infer(nodes));
  expect(await Promise.all(asked.map((nodes) => infer(nodes)))).toEqual(alone);
  open.retire();
});
