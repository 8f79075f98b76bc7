import { describe, expect, it } from "vitest";
import { sameTypesObjection, typesAsLearnt, typesObjection } from "../../src/jobs/types-as-learnt.ts";

const types = (nodeTypes: readonly string[], edgeTypes: readonly string[]) => ({
  nodeTypes: [...nodeTypes],
  edgeTypes: [...edgeTypes],
});
const learnt = types(["author", "paper"], ["cites", "likes", "writes"]);

describe("how a model counts the types of a graph", () => {
  it("is how the graph does, if it has the same", () => {
    expect(typesAsLearnt(learnt, types(["author", "paper"], ["cites", "likes", "writes"]))).toBeNull();
  });

  it.each([
    ["lacks a relation, so that the next has its number", types(["author", "paper"], ["cites", "writes"])],
    ["has a relation more", types(["author", "paper"], ["cites", "funds", "likes", "writes"])],
    ["lacks a type of nodes", types(["paper"], ["cites", "likes", "writes"])],
    ["has them in another order", types(["paper", "author"], ["writes", "likes", "cites"])],
  ])("is its own, if the graph %s", (_, graph) => {
    expect(typesAsLearnt(learnt, graph)).toEqual({ nodes: ["author", "paper"], edges: ["cites", "likes", "writes"] });
    expect(typesObjection(learnt, graph)).toBeNull();
    expect(sameTypesObjection(learnt, graph)).toMatch(/^A training starts from a model only on the types/);
  });

  it("cannot be told of nodes that it does not know, nor where it knows not one relation", () => {
    expect(typesObjection(learnt, types(["author", "robot"], ["cites"]))).toMatch(/no nodes of the type "robot"/);
    expect(typesObjection(learnt, types(["author"], ["funds", "owns"]))).toMatch(
      /learnt from edges of the type "cites", "likes", "writes", and the graph has none of these, but "funds", "owns"/,
    );
  });

  it("says which type a training would meet or miss", () => {
    expect(sameTypesObjection(learnt, learnt)).toBeNull();
    expect(sameTypesObjection(learnt, types(["author", "paper"], ["cites", "funds", "writes"]))).toMatch(
      /has not learnt "funds"/,
    );
    expect(sameTypesObjection(learnt, types(["author", "paper"], ["cites"]))).toMatch(/lacks "likes", "writes"/);
    expect(sameTypesObjection(learnt, types(["paper"], ["author", "cites", "likes", "writes"]))).toMatch(
      /has not learnt "author"/,
    );
    expect(sameTypesObjection(learnt, types(["paper", "author"], ["cites", "likes", "writes"]))).toMatch(
      /has them in another order/,
    );
  });
});
