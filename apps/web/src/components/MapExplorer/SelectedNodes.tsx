import { Button, Group, Stack, Text } from "@mantine/core";
import { saveFile } from "../../services/download.ts";
import { formatCount } from "../../services/format.ts";
import classes from "./MapExplorer.module.css";

/** More ids than this are downloaded, not shown. */
const mostShown = 100;

interface SelectedNodesProps {
  readonly points: Int32Array;
  readonly titleOf: (point: number) => string;
  readonly onClear: () => void;
}

/** The nodes inside the area that was drawn. */
export function SelectedNodes({ points, titleOf, onClear }: SelectedNodesProps) {
  // Those of a large area are read when they are downloaded.
  const first = Array.from(points.subarray(0, mostShown), titleOf);
  const download = () =>
    saveFile(new File([csvOf(Array.from(points, titleOf))], "selected-nodes.csv", { type: "text/csv" }));
  return (
    <Stack gap="xs" role="group" aria-label="Selected nodes">
      <Text size="sm" fw={600}>
        {points.length === 1 ? "1 node selected" : `${formatCount(points.length)} nodes selected`}
      </Text>
      <Text size="xs" ff="monospace" className={classes.ids}>
        {first.join(", ")}
        {points.length > mostShown && " …"}
      </Text>
      <Group gap="xs">
        <Button size="compact-sm" disabled={points.length === 0} onClick={download}>
          Download their ids
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClear}>
          Clear
        </Button>
      </Group>
    </Stack>
  );
}

/** A column of ids, quoted where CSV asks for it. */
function csvOf(ids: readonly string[]): string {
  const field = (id: string) => (/[",\r\n]/.test(id) ? `"${id.replaceAll('"', '""')}"` : id);
  return `id\n${ids.map((id) => `${field(id)}\n`).join("")}`;
}
