import { Select } from "@mantine/core";
import { useState } from "react";
import { useQuery } from "urql";
import { nearestNodesQuery, nodePredictionQuery } from "../../services/documents/results.ts";
import { formatFigure } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Explanation } from "../Explanation/Explanation.tsx";
import { Facts } from "../Facts/Facts.tsx";
import { NodeForm } from "../NodeForm/NodeForm.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { shownValues } from "./shown-values.ts";

/** Whose rows are looked up: a job's, or those of a version of a model */
export type Rows = { readonly job: string } | { readonly model: string; readonly number: number };

/** Looks up one node: what is predicted of it, and the nodes with the nearest embeddings. */
export function NodeLookup({ rows }: { readonly rows: Rows }) {
  const [node, setNode] = useState<string | null>(null);
  return (
    <Panel
      title="Look up a node"
      help="What the model says of one node, and the nodes whose embeddings are nearest to its own."
    >
      <NodeForm onLookUp={setNode} />
      {node !== null && <Prediction key={`prediction of ${node}`} rows={rows} node={node} />}
      {node !== null && <Nearest key={`nearest to ${node}`} rows={rows} node={node} />}
    </Panel>
  );
}

interface LookedUp {
  readonly rows: Rows;
  readonly node: string;
}

function Prediction({ rows, node }: LookedUp) {
  const [state, refetch] = useQuery({ query: nodePredictionQuery, variables: { ...rows, node } });
  const codes = state.error?.graphQLErrors.map(({ extensions }) => extensions["code"]) ?? [];
  // Its task learns embeddings or pairs, and predicts nothing of single nodes; an unknown id is told by the neighbours.
  if (codes.includes("SPEC_INVALID") || codes.includes("NODE_UNKNOWN")) return null;
  return (
    <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })} shape="facts">
      {({ predictions }) => {
        const facts = shownValues(predictions.predictions[0]?.values);
        // Classes alone are explained, and these are what there is a confidence of.
        const isClass = facts.some(({ label }) => label === "confidence");
        return (
          <>
            <Facts facts={facts} />
            {isClass && <Explanation rows={rows} node={node} />}
          </>
        );
      }}
    </QueryView>
  );
}

const metrics = [
  { value: "COSINE", label: "Cosine" },
  { value: "DOT", label: "Dot product" },
  { value: "L2", label: "Distance" },
] as const;
type Metric = (typeof metrics)[number]["value"];

function Nearest({ rows, node }: LookedUp) {
  const [metric, setMetric] = useState<Metric>("COSINE");
  const [state, refetch] = useQuery({ query: nearestNodesQuery, variables: { ...rows, node, metric } });
  return (
    <>
      <Select
        label="Near by"
        data={[...metrics]}
        value={metric}
        onChange={(value) => value && setMetric(value)}
        allowDeselect={false}
        maw={200}
        mt="md"
      />
      <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })} shape="lines">
        {({ neighbors: { neighbors } }) => (
          <DataTable
            label={`Nearest nodes to ${node}`}
            columns={metric === "L2" ? distanceColumns : columns}
            rows={neighbors.map((one, i) => ({ ...one, rank: i + 1 }))}
            rowKey={({ id }) => id}
            minWidth={320}
          />
        )}
      </QueryView>
    </>
  );
}

type Row = ResultOf<typeof nearestNodesQuery>["neighbors"]["neighbors"][number] & { readonly rank: number };

const common: readonly Column<Row>[] = [
  { head: "Rank", align: "right", cell: ({ rank }) => rank },
  { head: "Node", isRowHead: true, cell: ({ id }) => id },
];
const columns: readonly Column<Row>[] = [
  ...common,
  { head: "Score", align: "right", cell: ({ score }) => formatFigure(score) },
];
const distanceColumns: readonly Column<Row>[] = [
  ...common,
  { head: "Distance", align: "right", cell: ({ score }) => formatFigure(score) },
];
