import { Button, Group, Stack, Text } from "@mantine/core";
import { saveFile } from "../../services/download.ts";
import { formatCount } from "../../services/format.ts";
import classes from "./MapExplorer.module.css";

/** More ids than this are downloaded, not shown. */
const mostShown = 100;

interface SelectedNodesProps {
  readonly ids: readonly string[];
  readonly onClear: () => void;
}

/** The nodes inside the area that was drawn. */
export function SelectedNodes({ ids, onClear }: SelectedNodesProps) {
  return (
    <Stack gap="xs" role="group" aria-label="Selected nodes">
      <Text size="sm" fw={600}>
        {ids.length === 1 ? "1 node selected" : `${formatCount(ids.length)} nodes selected`}
      </Text>
      <Text size="xs" ff="monospace" className={classes.ids}>
        {ids.slice(0, mostShown).join(", ")}
        {ids.length > mostShown && " …"}
      </Text>
      <Group gap="xs">
        <Button
          size="compact-sm"
          disabled={ids.length === 0}
          onClick={() => saveFile(new File([csvOf(ids)], "selected-nodes.csv", { type: "text/csv" }))}
        >
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
