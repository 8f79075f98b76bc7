import { SimpleGrid } from "@mantine/core";
import { absent, formatCount } from "../../services/format.ts";
import { degreeBars, splitBars } from "../../services/graph-facts.ts";
import { BarList, Histogram } from "../BarChart/BarChart.tsx";
import { Facts } from "../Facts/Facts.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ClassCounts } from "./ClassCounts.tsx";
import type { Graph } from "./graph-profile.ts";

/** The graphs of a set: how many, how large, and what is known of them. */
export function GraphSetPanel({ graphs }: { readonly graphs: NonNullable<Graph["graphs"]> }) {
  const { numGraphs, numClasses, minNodes, meanNodes, maxNodes, meanEdges, folds } = graphs;
  return (
    <>
      <Panel title="Graphs" help="The dataset is a set of graphs: a class or numbers of each can be learned.">
        <Facts
          facts={[
            { label: "Graphs", value: formatCount(numGraphs) },
            { label: "Nodes per graph", value: meanNodes.toFixed(1), hint: `${minNodes} to ${maxNodes}` },
            { label: "Edges stored per graph", value: meanEdges.toFixed(1) },
            { label: "Classes of graphs", value: formatCount(numClasses) },
            { label: "Folds", value: folds.length > 0 ? formatCount(folds.length) : absent },
          ]}
        />
      </Panel>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Panel title="Sizes of graphs" help="How many graphs have that many nodes. Heights are logarithmic.">
          <Histogram title="Sizes of graphs" unit="graphs" logarithmic bars={degreeBars(graphs.sizeHistogram)} />
        </Panel>
        <Panel
          title={folds.length > 0 ? "Folds" : "Splits of graphs"}
          help={
            folds.length > 0 ? "A job says which fold is tested." : "Which graphs are learned from, and which judge."
          }
        >
          <BarList title="Graphs" unit="graphs" bars={splitBars(folds.length > 0 ? folds : graphs.splits)} />
        </Panel>
      </SimpleGrid>
      {graphs.labelCounts.length > 0 && (
        <Panel title="Labels of graphs" help="How many graphs each class has, the largest first.">
          <ClassCounts counts={graphs.labelCounts} unit="graphs" />
        </Panel>
      )}
    </>
  );
}
