import { Alert, Button, Grid, Group, Loader, Stack, Text, UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import type { EmbeddingMapData } from "../../services/embedding-map.ts";
import { formatCount } from "../../services/format.ts";
import { paletteColor } from "../../theme.ts";
import classes from "./ClassMap.module.css";

const EmbeddingMap = lazy(() => import("../EmbeddingMap/EmbeddingMap.tsx"));

interface ClassMapProps {
  readonly map: EmbeddingMapData;
  /** Names of the classes, in the order that labels count in */
  readonly names: readonly string[];
}

/** The map with its classes beside it, each of which can be shown alone. */
export function ClassMap({ map, names }: ClassMapProps) {
  const { points, labels, hasIds, titleOf } = map;
  const colors = useMemo(() => names.map((_, index) => paletteColor(index)), [names]);
  const counts = useMemo(() => countsOf(labels), [labels]);
  const [highlighted, setHighlighted] = useState<ReadonlySet<number> | null>(null);
  const describe = useCallback(
    (index: number) => [titleOf(index), hasIds ? nameOf(names, labels[index] ?? -1) : ""] as const,
    [titleOf, hasIds, labels, names],
  );
  const groups = [...names.keys(), ...(counts.has(-1) ? [-1] : [])];
  return (
    <>
      {!hasIds && (
        <Alert color="gray" variant="light" title="This map has no ids and classes" mb="md">
          It was drawn by an earlier version. The rows of the graph are shown; a new training draws a map with your ids.
        </Alert>
      )}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 9 }}>
          <Suspense fallback={<Loader aria-label="The map is loading" m="xl" />}>
            <EmbeddingMap points={points} colors={colors} highlighted={highlighted} describe={describe} />
          </Suspense>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 3 }}>
          <Stack gap={2} role="group" aria-label="Classes">
            <Group justify="space-between" mb={4}>
              <Text size="sm" fw={600}>
                Classes
              </Text>
              <Button
                size="compact-xs"
                variant="subtle"
                disabled={highlighted === null}
                onClick={() => setHighlighted(null)}
              >
                Show all
              </Button>
            </Group>
            {groups.map((group) => (
              <UnstyledButton
                key={group}
                className={classes.legend}
                aria-pressed={highlighted?.has(group) ?? false}
                data-faint={highlighted !== null && !highlighted.has(group)}
                onClick={() => setHighlighted((before) => toggled(before, group))}
              >
                <span className={classes.dot} style={{ background: group < 0 ? "#868e96" : paletteColor(group) }} />
                <span className="clip">{nameOf(names, group)}</span>
                <span className={`num ${classes.count}`}>{formatCount(counts.get(group) ?? 0)}</span>
              </UnstyledButton>
            ))}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function nameOf(names: readonly string[], group: number): string {
  return group < 0 ? "no label" : (names[group] ?? `class ${group}`);
}

function countsOf(labels: Int32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** Adds or removes a group; none left means all. */
function toggled(groups: ReadonlySet<number> | null, group: number): ReadonlySet<number> | null {
  const next = new Set(groups ?? []);
  if (!next.delete(group)) next.add(group);
  return next.size > 0 ? next : null;
}
