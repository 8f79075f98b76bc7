import type { GraphFigures } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { proposalsFor } from "../../../src/sweeps/search/candidates.ts";

/** A citation graph like Cora. */
const figures: GraphFigures = {
  numNodes: 2708,
  numEdges: 10_556,
  features: { dim: 1433, values: "binary" },
  numClasses: 7,
  numTrain: 140,
  homophily: { share: 0.81, expected: 0.18 },
};
const nodes = { type: "nodeClassification", seeds: "nodes", options: {} } as const;

describe("what a search proposes", () => {
  const { proposed, reason } = proposalsFor(figures, nodes, {});
  const models = proposed.map(({ changes }) => (changes["model"] as { type?: string } | undefined)?.type ?? "default");

  it("begins with the presets of the graph's situation, and says why", () => {
    expect(models.slice(0, 6)).toEqual(["gcn", "appnp", "gat", "sgc", "sage", "gin"]);
    expect(reason).toMatch(/^2,708 nodes .* Few labels among neighbours that are alike/);
  });

  it("has the defaults, other situations' presets and variations, nothing twice", () => {
    expect(proposed.find(({ title }) => title === "the defaults")?.changes).toEqual({});
    expect(
      proposed.map(({ title }) => title).filter((title) => /twice as wide|another penalty/.test(title)).length,
    ).toBeGreaterThan(2);
    const distinct = new Set(proposed.map(({ changes }) => JSON.stringify(changes)));
    expect(distinct.size).toBe(proposed.length);
  });

  it("changes single fields, so that what a spec says beside them stays", () => {
    const said = { train: { epochs: 9 }, features: { dtype: "fp16", transforms: [] }, model: { type: "gat" } };
    for (const { changes } of proposalsFor(figures, nodes, said).proposed) {
      expect(Object.keys(changes)).not.toContain("train.epochs");
      expect(Object.keys(changes)).not.toContain("features.transforms");
      expect([undefined, "gat"]).toContain((changes["model"] as { type?: string } | undefined)?.type);
    }
    const whole = { model: { type: "gat", options: { heads: 2 } } };
    expect(proposalsFor(figures, nodes, whole).proposed.every(({ changes }) => !("model" in changes))).toBe(true);
  });

  it("leaves presets to the tasks that they are for", () => {
    const titles = (task: Parameters<typeof proposalsFor>[1]) =>
      proposalsFor(figures, task, {}).proposed.map(({ title }) => title);
    expect(titles(nodes).join()).not.toMatch(/Whole graphs|Links|ComplEx|Labelled/);
    expect(titles({ type: "graphClassification", seeds: "graphs", options: {} })[0]).toBe("Whole graphs, GIN");
    const links = titles({ type: "linkPrediction", seeds: "edges", options: {} });
    expect(links).toContain("the defaults");
    expect(links.join()).toMatch(/Links, GraphSAGE.*Links, LightGCN/);
    expect(links.join()).not.toMatch(/Recommendation|many relations|Few labels/);
  });

  it("tries how links are learnt, and never what is asked of them", () => {
    const asked = { relations: "each", rankAmong: "allNodes", split: { type: "given" } };
    const { proposed: facts } = proposalsFor(figures, { type: "linkPrediction", seeds: "edges", options: asked }, {});
    expect(facts[0]?.changes).toMatchObject({ "task.decoder": { type: "complEx" }, "task.dim": 256 });
    for (const { changes } of facts) {
      for (const question of ["relations", "rankAmong", "split", "recommendTo", "type"])
        expect(Object.keys(changes)).not.toContain(`task.${question}`);
    }
    expect(facts.some(({ title }) => /a fifth of the penalty/.test(title))).toBe(true);
  });

  it("makes rows that are learned alone as wide as the spec says", () => {
    const asked = { type: "linkPrediction", seeds: "edges", options: { relations: "each" } } as const;
    const { proposed: narrow } = proposalsFor(figures, asked, { task: { dim: 32 } });
    const widths = narrow
      .filter(({ changes }) => (changes["model"] as { type?: string } | undefined)?.type === "shallow")
      .map(({ changes }) => changes["features.embedding"]);
    expect(widths.length).toBeGreaterThan(0);
    for (const width of widths) expect(width).toMatchObject({ dim: 32 });
  });

  it("predicts labels of which a node has several long before they are likelier than not", () => {
    const several = { type: "nodeMultiLabel", seeds: "nodes", options: { threshold: 0.5 } } as const;
    expect(proposalsFor(figures, several, {}).proposed[0]?.changes["task.threshold"]).toBe(0.25);
    const said = proposalsFor(figures, several, { task: { threshold: 0.4 } }).proposed;
    expect(said.every(({ changes }) => !("task.threshold" in changes))).toBe(true);
  });
});
