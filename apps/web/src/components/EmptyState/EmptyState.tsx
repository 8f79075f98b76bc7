import { Center, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  /** Nothing else is on the page: the title is its heading. */
  readonly isWholePage?: boolean;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** What stands where a list would be: a small graph with nothing on it, and what to do next. */
export function EmptyState({ title, isWholePage = false, children, action }: EmptyStateProps) {
  return (
    <Center py={40} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <svg
          width="72"
          height="48"
          viewBox="0 0 72 48"
          aria-hidden="true"
          fill="none"
          stroke="var(--mantine-color-hop-4)"
        >
          <path d="M12 34 30 14 52 22 62 38M30 14 36 40 12 34M52 22 36 40" strokeDasharray="3 4" strokeWidth="1.500" />
          {[
            [12, 34],
            [30, 14],
            [52, 22],
            [62, 38],
            [36, 40],
          ].map(([x, y]) => (
            <circle key={x} cx={x} cy={y} r="4.500" fill="var(--hop-surface)" strokeWidth="2" />
          ))}
        </svg>
        <Text fw={600} ta="center" {...(isWholePage && { component: "h1" as const, fz: "lg", m: 0 })}>
          {title}
        </Text>
        {children && (
          <Text size="sm" c="dimmed" ta="center" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}
