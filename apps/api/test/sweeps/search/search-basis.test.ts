import { type GraphInfo, loadRegistry, resolveTask } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { foldOf, searchBasis } from "../../../src/sweeps/search/search-basis.ts";
import { searchMetric } from "../../../src/sweeps/search/search-metric.ts";

const registry = await loadRegistry([]);
const counts = (train: number, val: number) => ({ train, val, test: 10, none: 0 });

function basisOf(sent: Record<string, unknown>, info: object) {
  const resolved = resolveTask({ inductive: false, ...(sent["task"] as object) }, registry);
  return searchBasis(sent, resolved, info as GraphInfo);
}

describe("what the trials of a search are laid over", () => {
  const task = { target: "label" };

  it("is the spec as it was sent, where the dataset holds out something to choose by", () => {
    expect(basisOf({ task }, { splits: counts(10, 5) })).toEqual({
      spec: { task },
      words: [],
      numFolds: 1,
      numRows: 5,
    });
    const drawn = { task, split: { type: "random", train: 0.5, val: 0, test: 0.5 } };
    expect(basisOf(drawn, { splits: counts(0, 0) }).spec).toBe(drawn);
  });

  it("holds out a fifth of what trains where it does not, and says so", () => {
    const { spec, words } = basisOf({ task }, { splits: counts(10, 0) });
    expect(spec).toEqual({ task, split: { type: "column", val: 0.2 } });
    expect(words.join()).toMatch(
      /^The dataset holds out no nodes to choose by, so that a fifth of the training nodes is/,
    );
    const own = { task, split: { type: "column", column: "side", val: 0.4 } };
    expect(basisOf(own, { splits: counts(10, 0) }).spec).toBe(own);
  });

  it("has another fifth for each seed where few rows are held out, which tell settings apart badly", () => {
    expect(basisOf({ task }, { splits: counts(272, 0), numEdges: 148_454 })).toMatchObject({
      numFolds: 5,
      numRows: 54,
    });
    expect(basisOf({ task }, { splits: counts(5000, 0), numEdges: 148_454 }).numFolds).toBe(1);
    expect(basisOf({ task }, { splits: counts(272, 0), numEdges: 20_000_000 }).numFolds).toBe(1);
    const folds = [7, 8, 11, 12].map((seed) => foldOf({ firstSeed: 7, numFolds: 5 }, seed));
    expect(folds).toEqual([{}, { "split.valFold": 1 }, { "split.valFold": 4 }, {}]);
    expect(foldOf({ firstSeed: 7, numFolds: 1 }, 9)).toEqual({});
  });

  it("has a split drawn where the dataset has none", () => {
    const { spec, words } = basisOf({ task }, { splits: counts(0, 0) });
    expect(spec).toEqual({ task, split: { type: "random" } });
    expect(words.join()).toMatch(/^The dataset has no split/);
  });

  it("goes by graphs where graphs are learnt, and by folds where one is named", () => {
    const ofGraphs = { type: "graphClassification", target: "class" };
    const info = { splits: counts(0, 0), graphs: { splits: counts(10, 0) } };
    expect(basisOf({ task: ofGraphs }, info).spec["split"]).toEqual({ type: "column", val: 0.2 });
    const folded = { task: { ...ofGraphs, testFold: "0" } };
    expect(basisOf(folded, info).spec).toBe(folded);
  });

  it("holds out a tenth of given links, if the dataset turns out to hold out none", () => {
    const links = { type: "linkPrediction", split: { type: "given" } };
    expect(basisOf({ task: links }, {}).spec["task"]).toEqual({ ...links, split: { type: "given", val: 0.1 } });
    const edges = { type: "edgeClassification", target: "sign", split: { type: "given" } };
    const labelled = { edgeRows: { splits: counts(10, 5) } };
    expect(basisOf({ task: edges }, labelled).words).toEqual([]);
    const random = { task: { type: "linkPrediction" } };
    expect(basisOf(random, {}).spec).toBe(random);
  });
});

describe("what trials are chosen by", () => {
  const judgeOf = (task: object, asked?: string, classes: string[] = ["a", "b"]) =>
    searchMetric(resolveTask({ inductive: false, ...task }, registry), asked, { classes });

  it("is the task's chief figure, or the one that is asked for", () => {
    expect(judgeOf({ target: "label" })).toEqual({ metric: "accuracy", direction: "max" });
    expect(judgeOf({ target: "label" }, "macroF1")).toEqual({ metric: "macroF1", direction: "max" });
    expect(judgeOf({ target: "label" }, "loss")).toEqual({ metric: "loss", direction: "min" });
    expect(judgeOf({ type: "nodeRegression", target: "y" })).toEqual({ metric: "mae", direction: "min" });
  });

  it("is the rank among all nodes where that is counted: who asks for it looks at it", () => {
    const links = { type: "linkPrediction" };
    expect(judgeOf(links).metric).toBe("auc");
    expect(judgeOf({ ...links, rankAmong: "allNodes" }).metric).toBe("filteredMrr");
    expect(judgeOf({ ...links, rankAmong: "unseenNodes" }).metric).toBe("recall@20");
    expect(judgeOf({ ...links, rankAmong: "allNodes" }, "auc").metric).toBe("auc");
  });

  it("is refused before a trial begins, if it is counted by classes and the graph has none", () => {
    expect(judgeOf({ type: "node2vec" }).metric).toBe("probeAccuracy");
    expect(() => judgeOf({ type: "node2vec" }, undefined, [])).toThrow(
      /node2vec is chosen by its probeAccuracy, which is counted by classes of nodes, and the graph has none/,
    );
    expect(judgeOf({ type: "node2vec" }, "loss", []).metric).toBe("loss");
  });

  it("is refused with what there is, if the task does not count it", () => {
    expect(() => judgeOf({ target: "label" }, "auc")).toThrow(/^\/auto\/metric: .* has no figure "auc".* accuracy/);
    expect(() => judgeOf({ type: "linkPrediction" }, "filteredMrr")).toThrow(/has no figure "filteredMrr"/);
  });
});
