import { cpus } from "node:os";
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import type { CeilingProbe } from "./ceilings.ts";
import { compareTyped, perEdge, type TypedChoice } from "./typed-run.ts";

const round = (value: number) => Number(value.toPrecision(4));

/** What `ours.ts --typed` prints. */
export async function typedLine(choice: TypedChoice, probe: CeilingProbe) {
  const { typed, plain, ratio } = await compareTyped(choice, probe);
  const ceilings = probe.close();
  const { graph, featureDim, numClasses } = choice.data;
  return {
    topic: "epoch",
    figure: round(ratio),
    unit: "times the CPU s of SAGE",
    better: "lower",
    ceiling: null,
    details: {
      graph: { numNodes: graph.numNodes, numEdges: graph.numEdges },
      model: `${featureDim}-${choice.hidden}-${numClasses}`,
      fanouts: choice.fanouts,
      relationsIntoEachNode: choice.into,
      // A product for each relation into a row and one for its own; SAGE has two.
      operationsOfProducts: (choice.into + 1) / 2,
      batchSize: choice.batchSize,
      dropout: choice.dropout,
      typed,
      plain,
      wallRatio: round(perEdge(typed, "wallSeconds") / perEdge(plain, "wallSeconds")),
      threads: loadAddon().threads(),
      ceilings: { sgemmGflops: round(ceilings.sgemmGflops), copyGBs: round(ceilings.copyGBs) },
      cpu: cpus()[0]?.model ?? "unknown",
    },
  };
}
