import { describe, expect, it } from "vitest";
import { labelSetsOf } from "../../src/graph/label-sets.ts";
import { classPositions, renumberLabelSets, renumberLabels } from "../../src/graph/renumber-classes.ts";

const trained = ["b", "a"];
const found = ["a", "c", "b"];

describe("classes of a graph that was built later, as a model counts them", () => {
  it("are the same numbers where both lists are the same", () => {
    const positions = classPositions(trained, [...trained]);
    const labels = Int32Array.of(1, -1, 0);
    expect(positions).toBeNull();
    expect(renumberLabels(labels, positions)).toBe(labels);
  });

  it("have the model's numbers, and none where the model does not know them", () => {
    const positions = classPositions(found, trained);
    expect([...renumberLabels(Int32Array.of(0, 1, 2, -1), positions)]).toEqual([1, -1, 0, -1]);
  });

  it("leave the labels of a node that the model knows, in ascending order", () => {
    const sets = labelSetsOf([[0, 2], [1], null, []], found.length);
    const { indptr, indices, known, numClasses } = renumberLabelSets(sets, classPositions(found, trained), 2);
    expect({ indptr: [...indptr], indices: [...indices], known: [...known], numClasses }).toEqual({
      indptr: [0, 2, 2, 2, 2],
      indices: [0, 1],
      known: [1, 1, 0, 1],
      numClasses: 2,
    });
  });
});
