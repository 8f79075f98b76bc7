import { SimpleGrid, Text } from "@mantine/core";
import { absent, formatCount, formatPercent } from "../../services/format.ts";
import { degreeBars, splitBars } from "../../services/graph-facts.ts";
import { BarList, Histogram } from "../BarChart/BarChart.tsx";
import { type Fact, Facts } from "../Facts/Facts.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ClassCounts } from "./ClassCounts.tsx";
import { GraphSetPanel } from "./GraphSetPanel.tsx";
import { type Graph, type GraphReport, profileOf } from "./graph-profile.ts";
import { Leaks } from "./Leaks.tsx";
import { SchemaPanel } from "./SchemaPanel.tsx";

interface GraphFactsProps {
  readonly graph: Graph;
  readonly report: GraphReport | null;
}

/** The graph in figures: its size, how it hangs together, how its degrees, labels and splits are distributed. */
export function GraphFacts({ graph, report }: GraphFactsProps) {
  const profile = profileOf(graph);
  return (
    <>
      <Panel title="Graph">
        <Facts facts={sizeOf(graph)} />
      </Panel>
      {graph.graphs && <GraphSetPanel graphs={graph.graphs} />}
      <SchemaPanel graph={graph} />
      <Panel title="Structure" help="How the graph hangs together, and what is unusual in it.">
        <Facts facts={structureOf(graph, report)} />
        {graph.homophily && <HomophilyNote homophily={graph.homophily} />}
        {profile && <Leaks profile={profile} />}
      </Panel>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Panel title="Degrees" help="How many nodes have that many in-edges. Heights are logarithmic.">
          <Histogram title="Degrees" unit="nodes" logarithmic bars={degreeBars(graph.degreeHistogram)} />
          {profile && (
            <Text size="sm" className="num">
              Least {formatCount(profile.degrees.min)}, median {formatCount(profile.degrees.median)}, most{" "}
              {formatCount(profile.degrees.max)}.
            </Text>
          )}
        </Panel>
        <Panel title="Splits" help="Which nodes are learned from, and which judge the result.">
          <BarList title="Splits" unit="nodes" bars={splitBars(graph.splits)} />
        </Panel>
      </SimpleGrid>
      {graph.labelCounts.length > 0 && (
        <Panel title="Labels" help="How many nodes each class has, the largest first.">
          <ClassCounts counts={graph.labelCounts} />
        </Panel>
      )}
      {graph.edgeRows && graph.edgeRows.labelCounts.length > 0 && (
        <Panel title="Labels of edges" help="How many edges each class has, the largest first.">
          <ClassCounts counts={graph.edgeRows.labelCounts} unit="edges" />
        </Panel>
      )}
    </>
  );
}

function sizeOf(graph: Graph): readonly Fact[] {
  return [
    { label: "Nodes", value: formatCount(graph.numNodes) },
    {
      label: "Edges stored",
      value: formatCount(graph.numEdges),
      hint: graph.directed ? "One way each" : "Both directions of each row",
    },
    {
      label: "Mean degree",
      value: (graph.numEdges / Math.max(1, graph.numNodes)).toFixed(1),
      hint: "In-edges per node",
    },
    { label: "Features per node", value: formatCount(graph.numFeatures) },
    { label: "Classes", value: formatCount(graph.numClasses) },
    {
      label: "Node ids",
      value: graph.idType === "INT64" ? "Numbers" : "Text",
      hint: "As they come back in every download",
    },
    { label: "Direction", value: graph.directed ? "One way" : "Both ways" },
  ];
}

function structureOf(graph: Graph, report: GraphReport | null): readonly Fact[] {
  const { numNodes, homophily } = graph;
  const components = profileOf(graph)?.components;
  return [
    { label: "Components", value: formatCount(components?.count), hint: "Whatever the direction of edges" },
    {
      label: "Largest component",
      value: components ? formatPercent(components.largest / Math.max(1, numNodes)) : absent,
      hint: components ? `${formatCount(components.largest)} nodes` : "Not known of this version",
    },
    { label: "Edge homophily", value: formatPercent(homophily?.share) },
    { label: "Isolated nodes", value: formatCount(report?.isolatedNodes), hint: "Nodes without an edge" },
    { label: "Repeated edges", value: formatCount(report?.duplicateEdges), hint: "Rows that repeat an earlier edge" },
    { label: "Self-loops", value: formatCount(report?.selfLoops), hint: "Rows that join a node with itself" },
  ];
}

/** Says what homophily means where its figure stands. */
function HomophilyNote({
  homophily: { edges, share, expected },
}: {
  readonly homophily: NonNullable<Graph["homophily"]>;
}) {
  return (
    <Text size="sm" c="dimmed" maw={760}>
      Edge homophily: of {formatCount(edges)} stored edges between two labelled nodes, {formatPercent(share)} join nodes
      of one class. Drawn at random between nodes of these degrees, {formatPercent(expected)} would.
    </Text>
  );
}
