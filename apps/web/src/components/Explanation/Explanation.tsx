import { Button, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useQuery } from "urql";
import { explanationQuery } from "../../services/documents/results.ts";
import { formatFigure } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Facts } from "../Facts/Facts.tsx";
import type { GivenNode } from "../NewNodes/read-nodes.ts";
import type { Rows } from "../NodeLookup/NodeLookup.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { EdgePicture } from "./EdgePicture.tsx";
import type { ExplainedEdge } from "./rings.ts";

interface ExplanationProps {
  readonly rows: Rows;
  readonly node: string;
  /** Nodes that the graph does not have, the explained one among them; left out: it is stored */
  readonly newNodes?: readonly GivenNode[];
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

function Answer({ rows, node, newNodes }: ExplanationProps) {
  const variables = { ...rows, node, ...(newNodes && { nodes: [...newNodes] as never }) };
  const [state, refetch] = useQuery({ query: explanationQuery, variables });
  const section = useRef<HTMLElement>(null);
  // The button that was pressed has gone: whoever came by keys goes on from here.
  useEffect(() => section.current?.focus({ preventScroll: true }), []);
  const title = `Why ${node} has its class`;
  return (
    <section ref={section} tabIndex={-1} aria-label={title} style={{ outline: "none" }}>
      <Title order={3} size="h5" mt="lg">
        {title}
      </Title>
      <Text role="status" size="sm" c="dimmed" mb="sm">
        {state.fetching ? "Learning which edges and features decide takes some seconds." : ""}
      </Text>
      <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })} shape="lines">
        {({ explanation }) => <Told node={node} told={explanation} />}
      </QueryView>
    </section>
  );
}

interface ToldProps {
  readonly node: string;
  readonly told: ResultOf<typeof explanationQuery>["explanation"];
}

function Told({ node, told }: ToldProps) {
  const { edges, features, probability, fidelityPlus, fidelityMinus } = told;
  return (
    <Stack>
      <Facts
        facts={[
          { label: "explained class", value: told.class },
          { label: "its probability", value: formatFigure(probability), hint: "Without the model's temperature" },
          {
            label: "without the edges and features below",
            value: formatFigure(probability - fidelityPlus),
            hint: "The lower, the more they were needed",
          },
          {
            label: "with these alone",
            value: formatFigure(probability - fidelityMinus),
            hint: "The nearer to the probability, the more these alone are enough",
          },
        ]}
      />
      {edges.length > 0 && <EdgePicture node={node} edges={edges} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Deciding label={`Edges that decide, ${edges.length} of ${told.numEdges}`}>
          {(label) => <DataTable label={label} columns={edgeColumns} rows={edges} rowKey={shownEdge} minWidth={280} />}
        </Deciding>
        <Deciding label={`Features that decide, ${features.length} of ${told.numFeatures}`}>
          {(label) => (
            <DataTable
              label={label}
              columns={featureColumns}
              rows={features}
              rowKey={({ name }) => name}
              minWidth={280}
            />
          )}
        </Deciding>
      </SimpleGrid>
    </Stack>
  );
}

interface DecidingProps {
  readonly label: string;
  readonly children: (label: string) => ReactNode;
}

/** A table whose label is seen, too: how many there are beside those that it shows. */
function Deciding({ label, children }: DecidingProps) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4} aria-hidden>
        {label}
      </Text>
      {children(label)}
    </div>
  );
}

function shownEdge({ from, to, relation }: ExplainedEdge): string {
  return relation === null ? `${from} → ${to}` : `${from} ─ ${relation} → ${to}`;
}

const edgeColumns: readonly Column<ExplainedEdge>[] = [
  { head: "Edge", isRowHead: true, cell: shownEdge },
  { head: "Weight", align: "right", cell: ({ weight }) => formatFigure(weight) },
];
const featureColumns: readonly Column<{ readonly name: string; readonly weight: number }>[] = [
  { head: "Feature", isRowHead: true, cell: ({ name }) => name },
  { head: "Weight", align: "right", cell: ({ weight }) => formatFigure(weight) },
];
