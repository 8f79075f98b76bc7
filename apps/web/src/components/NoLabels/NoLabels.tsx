import { Alert, Button, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useNextVersion } from "../../hooks/use-next-version.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

const withoutLabels = "The graph has no labels: what can be learned are embeddings, and which nodes are linked";
const nothing = "There is nothing to learn yet: the graph has no labels";

interface NoLabelsProps {
  readonly datasetId: string;
  /** Whether its newest version is still to be mapped */
  readonly isBeingMapped: boolean;
  /** Whether anything can be learned without labels: embeddings, links between nodes */
  readonly canLearn: boolean;
}

/** Says of a graph without labels what can be learned from it, what it lacks for more, and leads there. */
export function NoLabels({ datasetId, isBeingMapped, canLearn }: NoLabelsProps) {
  const next = useNextVersion(datasetId);
  return (
    <Alert color={canLearn ? "blue" : "yellow"} variant="light" title={canLearn ? withoutLabels : nothing}>
      <Stack gap="sm">
        <Text size="sm">
          No column says which class a node has, or which number is to be predicted. Map a column of the nodes file as
          “label” (or “number to predict”); without such a file, add one with an id and a label for each node. The graph
          is then built anew, as the next version of this dataset.
        </Text>
        {next.problem && <ProblemAlert problem={next.problem} />}
        {isBeingMapped ? (
          <Button component={Link} to={`/datasets/${datasetId}/mapping`} w="fit-content">
            Map the labels
          </Button>
        ) : (
          <Button onClick={() => void next.mapAgain()} loading={next.isBusy} w="fit-content">
            Map the labels
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
