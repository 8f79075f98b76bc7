import { Button, Stack, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useQuery } from "urql";
import { newNodesQuery } from "../../services/documents/results.ts";
import { Explanation } from "../Explanation/Explanation.tsx";
import { Facts } from "../Facts/Facts.tsx";
import type { Rows } from "../NodeLookup/NodeLookup.tsx";
import { shownValues } from "../NodeLookup/shown-values.ts";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { exampleNode, type ReadGraph } from "./example-node.ts";
import { type GivenNode, readNodes } from "./read-nodes.ts";

interface NewNodesProps {
  readonly rows: Rows;
  /** The graph that the model was trained on */
  readonly graph: ReadGraph;
}

/** Asks what the model says of nodes that the graph does not have, given with their features and edges. */
export function NewNodes({ rows, graph }: NewNodesProps) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [nodes, setNodes] = useState<readonly GivenNode[] | null>(null);
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const read = readNodes(typed);
    setProblem(typeof read === "string" ? read : null);
    setNodes(typeof read === "string" ? null : read);
  };
  return (
    <Panel
      title="Ask about a new node"
      help="What the model says of a node that the graph does not have, from its type, its features and its edges, as they would stand in the files. Nothing is stored."
    >
      <form onSubmit={ask}>
        <Stack align="start" gap="xs">
          <Textarea
            label="Node as JSON, or a list of nodes"
            placeholder={exampleNode(graph)}
            value={typed}
            error={problem}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autosize
            minRows={3}
            maxRows={16}
            w="100%"
          />
          <Button type="submit" variant="default" disabled={typed.trim() === ""}>
            Predict
          </Button>
        </Stack>
      </form>
      {nodes !== null && <Answers key={JSON.stringify(nodes)} rows={rows} nodes={nodes} />}
    </Panel>
  );
}

function Answers({ rows, nodes }: { readonly rows: Rows; readonly nodes: readonly GivenNode[] }) {
  const [state, refetch] = useQuery({ query: newNodesQuery, variables: { ...rows, nodes: [...nodes] as never } });
  return (
    <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })} shape="facts">
      {({ predictions: { predictions } }) => (
        <Stack gap="md" mt="md">
          {predictions.map(({ id, values }) => {
            const facts = shownValues(values);
            return (
              <div key={id}>
                <Facts facts={[{ label: "node", value: id }, ...facts]} />
                {facts.some(({ label }) => label === "confidence") && (
                  <Explanation rows={rows} node={id} newNodes={nodes} />
                )}
              </div>
            );
          })}
        </Stack>
      )}
    </QueryView>
  );
}
