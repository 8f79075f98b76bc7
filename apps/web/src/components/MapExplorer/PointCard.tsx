import { CloseButton, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import type { NearPoint } from "../../services/map-detail.ts";
import classes from "./MapExplorer.module.css";

interface PointCardProps {
  readonly title: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** Null: they were not looked for. */
  readonly nearest: readonly NearPoint[] | null;
  /** Null: they are on their way. */
  readonly neighbors: readonly NearPoint[] | null;
  readonly titleOf: (point: number) => string;
  readonly onPick: (point: number | null) => void;
}

/** What is known of one node, and which are near it in the embeddings and in the graph. */
export function PointCard({ title, facts, nearest, neighbors, titleOf, onPick }: PointCardProps) {
  return (
    <Stack gap="xs" role="group" aria-label={`Node ${title}`}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} ff="monospace" className="clip">
          {title}
        </Text>
        <CloseButton aria-label="Close the node" onClick={() => onPick(null)} />
      </Group>
      <dl className={classes.facts}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="clip">{value}</dd>
          </div>
        ))}
      </dl>
      <NearList
        title="Nearest embeddings"
        none={nearest === null ? "They are found for the nodes that UMAP lays out." : "There are no others."}
        near={nearest ?? []}
        titleOf={titleOf}
        onPick={onPick}
      />
      <NearList
        title="Neighbours in the graph"
        none={neighbors === null ? "They are being fetched." : "None of them is on the map."}
        near={neighbors ?? []}
        titleOf={titleOf}
        onPick={onPick}
      />
    </Stack>
  );
}

interface NearListProps extends Pick<PointCardProps, "titleOf" | "onPick"> {
  readonly title: string;
  readonly none: string;
  readonly near: readonly NearPoint[];
}

function NearList({ title, none, near, titleOf, onPick }: NearListProps) {
  return (
    <div role="group" aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {near.length === 0 && (
        <Text size="xs" c="dimmed">
          {none}
        </Text>
      )}
      {near.map(({ point, similarity }) => (
        <UnstyledButton key={point} className={classes.near} onClick={() => onPick(point)}>
          <span className="clip">{titleOf(point)}</span>
          {similarity !== null && <span className={`num ${classes.count}`}>{similarity.toFixed(3)}</span>}
        </UnstyledButton>
      ))}
    </div>
  );
}
