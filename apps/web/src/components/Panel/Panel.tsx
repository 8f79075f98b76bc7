import { Box, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface PanelProps {
  readonly title: string;
  readonly help?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A titled section of a page. */
export function Panel({ title, help, aside, children }: PanelProps) {
  return (
    <Paper component="section" aria-label={title} withBorder p="md" bg="var(--hop-surface)">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="wrap" gap="xs">
          {/* Help makes room for what stands beside it, down to a width at which it is read with ease. */}
          <Box flex={help ? "1 1 320px" : undefined}>
            <Title order={2}>{title}</Title>
            {help && (
              <Text size="sm" c="dimmed">
                {help}
              </Text>
            )}
          </Box>
          {aside}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
