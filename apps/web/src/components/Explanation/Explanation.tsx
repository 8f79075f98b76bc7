import { Button, SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import { useQuery } from "urql";
import { explanationQuery } from "../../services/documents/results.ts";
import { formatFigure } from "../../services/format.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Facts } from "../Facts/Facts.tsx";
import type { Rows } from "../NodeLookup/NodeLookup.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { EdgePicture } from "./EdgePicture.tsx";
import type { ExplainedEdge } from "./rings.ts";

interface ExplanationProps {
  readonly rows: Rows;
  readonly node: string;
}

/** Why a node has its class, computed when it is asked for: it takes some seconds. */
export function Explanation(props: ExplanationProps) {
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) return <Answer {...props} />;
  return (
    <Button variant="default" mt="md" onClick={() => setIsAsked(true)}>
      Explain the class
    </Button>
  );
}

function Answer({ rows, node }: ExplanationProps) {
  const [state, refetch] = useQuery({ query: explanationQuery, variables: { ...rows, node } });
  return (
    <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })} shape="lines">
      {({ explanation: told }) => (
        <Stack mt="md">
          <Facts
            facts={[
              { label: "explained class", value: told.class },
              { label: "probability", value: formatFigure(told.probability), hint: "Without the model's temperature" },
              {
                label: "lost without these",
                value: formatFigure(told.fidelityPlus),
                hint: "Near the probability: they were needed",
              },
              {
                label: "lost with these alone",
                value: formatFigure(told.fidelityMinus),
                hint: "Near 0: they are enough",
              },
            ]}
          />
          {told.edges.length > 0 && <EdgePicture node={node} edges={told.edges} />}
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <DataTable
              label={`Edges that decide, ${told.edges.length} of ${told.numEdges}`}
              columns={edgeColumns}
              rows={told.edges}
              rowKey={({ from, to }) => `${from} ${to}`}
              minWidth={280}
            />
            <DataTable
              label={`Features that decide, ${told.features.length} of ${told.numFeatures}`}
              columns={featureColumns}
              rows={told.features}
              rowKey={({ name }) => name}
              minWidth={280}
            />
          </SimpleGrid>
        </Stack>
      )}
    </QueryView>
  );
}

const edgeColumns: readonly Column<ExplainedEdge>[] = [
  { head: "Edge", isRowHead: true, cell: ({ from, to }) => `${from} → ${to}` },
  { head: "Weight", align: "right", cell: ({ weight }) => formatFigure(weight) },
];
const featureColumns: readonly Column<{ readonly name: string; readonly weight: number }>[] = [
  { head: "Feature", isRowHead: true, cell: ({ name }) => name },
  { head: "Weight", align: "right", cell: ({ weight }) => formatFigure(weight) },
];
