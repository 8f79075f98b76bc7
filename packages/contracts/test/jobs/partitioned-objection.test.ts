import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, it } from "vitest";
import { refusedPlace } from "./support/refused-place.ts";

const registry = await loadRegistry([]);
const links = { type: "linkPrediction" };

/** The place that is objected to; null: nothing is. */
function placeOf(changes: object): string | null {
  const resources = { ranks: 2, graph: "partitioned" };
  return refusedPlace({ task: { target: "label" }, resources, ...changes }, registry);
}

it("nodes, links and labels of edges are learnt from parts, by models of relations too", () => {
  for (const task of [{ target: "label" }, links, { type: "edgeClassification", target: "size" }]) {
    expect(placeOf({ task })).toBeNull();
    expect(placeOf({ task, model: { type: "rsage" } })).toBeNull();
    expect(placeOf({ task, resources: { samplers: 1 } })).toBeNull();
  }
});

it("links that carry messages alone may be told apart by their relations", () => {
  expect(placeOf({ task: { ...links, relations: "each", disjoint: 0.5, decoder: { type: "distMult" } } })).toBeNull();
});

it.each([
  ["/sampling/type", { sampling: { type: "labor", options: { fanouts: [5, 5] } } }],
  ["/sampling/type", { sampling: { type: "neighbor", options: { fanouts: [5, 5], edgeDir: "both" } } }],
  ["/sampling/type", { sampling: { type: "temporal" }, task: { ...links, split: { type: "time" } } }],
  ["/task/inductive", { task: { target: "label", inductive: true } }],
  ["/features/structural", { features: { structural: {} }, task: links }],
  ["/features/transforms", { features: { transforms: ["standardize"] } }],
])("what looks at more than a part is refused at %s", (pointer, changes) => {
  expect(placeOf(changes)).toBe(pointer);
});
