import { Button, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { formatCount } from "../../services/format.ts";
import { type Coloring, groupName } from "../../services/map-coloring.ts";
import { colorOfGroup } from "../EmbeddingMap/point-renderer.ts";
import classes from "./MapExplorer.module.css";

export type Highlighted = ReadonlySet<number> | null;

interface MapLegendProps {
  readonly title: string;
  readonly coloring: Coloring;
  readonly highlighted: Highlighted;
  readonly onHighlight: (groups: Highlighted) => void;
}

/** What the colours mean; each can be shown alone. */
export function MapLegend({ title, coloring, highlighted, onHighlight }: MapLegendProps) {
  const { names, colors, counts } = coloring;
  const groups = [...names.keys(), ...(counts.has(-1) ? [-1] : [])];
  return (
    <Stack gap={2} role="group" aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Button size="compact-xs" variant="subtle" disabled={highlighted === null} onClick={() => onHighlight(null)}>
          Show all
        </Button>
      </Group>
      <div className={classes.groups}>
        {groups.map((group) => (
          <UnstyledButton
            key={group}
            className={classes.legend}
            aria-pressed={highlighted?.has(group) ?? false}
            data-faint={highlighted !== null && !highlighted.has(group)}
            onClick={() => onHighlight(toggled(highlighted, group))}
          >
            <span className={classes.dot} style={{ background: colorOfGroup(colors, group) }} />
            <span className="clip">{groupName(coloring, group)}</span>
            <span className={`num ${classes.count}`}>{formatCount(counts.get(group) ?? 0)}</span>
          </UnstyledButton>
        ))}
      </div>
    </Stack>
  );
}

/** Adds or removes a group; none left means all. */
function toggled(groups: Highlighted, group: number): Highlighted {
  const next = new Set(groups ?? []);
  if (!next.delete(group)) next.add(group);
  return next.size > 0 ? next : null;
}
