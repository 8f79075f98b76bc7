import { Group, SimpleGrid, Skeleton, Stack, VisuallyHidden } from "@mantine/core";

export type Shape = keyof typeof shapes;

/** What is about to be there, in grey: a page that comes keeps the places that it announced. */
export function LoadingShape({ shape }: { readonly shape: Shape }) {
  return (
    <div role="status" style={{ opacity: 0.6 }}>
      <VisuallyHidden>Loading</VisuallyHidden>
      {shapes[shape]()}
    </div>
  );
}

const shapes = { line: Line, lines: Lines, table: Table, facts: FactCells, form: Form, job: JobShape, map: MapShape };

function Line() {
  return <Skeleton height={44} />;
}

/** Paragraphs or entries of a list */
function Lines() {
  return (
    <Stack gap="xs">
      {["92%", "78%", "85%", "60%"].map((width) => (
        <Skeleton key={width} height={16} width={width} />
      ))}
    </Stack>
  );
}

/** A head of columns above rows, as wide as those of a list */
function Table() {
  return (
    <Stack gap={0} aria-hidden="true">
      {Array.from({ length: 7 }, (_, row) => (
        <Group key={row} h={44} gap="xl" wrap="nowrap" style={{ borderBottom: "1px solid var(--hop-border)" }}>
          {["26%", "14%", "10%", "18%", "12%"].map((width) => (
            <Skeleton key={width} height={row === 0 ? 10 : 14} width={width} />
          ))}
        </Group>
      ))}
    </Stack>
  );
}

/** Figures with what they are called */
function FactCells() {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      {Array.from({ length: 4 }, (_, cell) => (
        <Stack key={cell} gap={6}>
          <Skeleton height={10} width="50%" />
          <Skeleton height={18} width="70%" />
        </Stack>
      ))}
    </SimpleGrid>
  );
}

/** Fields with their labels, and beside them what is said of the whole */
function Form() {
  return (
    <Group align="flex-start" gap="lg" wrap="nowrap">
      <Stack gap="lg" flex={2}>
        {Array.from({ length: 5 }, (_, field) => (
          <Stack key={field} gap={6}>
            <Skeleton height={12} width="22%" />
            <Skeleton height={36} />
          </Stack>
        ))}
      </Stack>
      <Skeleton height={280} flex={1} visibleFrom="md" />
    </Group>
  );
}

/** A job's title, its figures and stages, the tabs and two charts */
function JobShape() {
  return (
    <Stack gap="lg">
      <Skeleton height={28} width="38%" />
      <Skeleton height={16} width="55%" />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {Array.from({ length: 3 }, (_, cell) => (
          <Skeleton key={cell} height={112} />
        ))}
      </SimpleGrid>
      <Skeleton height={32} width="65%" />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Skeleton height={260} />
        <Skeleton height={260} />
      </SimpleGrid>
    </Stack>
  );
}

/** A map with its legend */
function MapShape() {
  return (
    <Group align="flex-start" gap="md" wrap="nowrap">
      <Skeleton height={560} flex={3} />
      <Stack gap="sm" flex={1} visibleFrom="md">
        {["60%", "80%", "72%", "85%", "64%"].map((width) => (
          <Skeleton key={width} height={16} width={width} />
        ))}
      </Stack>
    </Group>
  );
}
