import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly hint?: string;
}

/** A row of figures with their names. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <Group component="dl" gap="xl" m={0} style={{ rowGap: "var(--mantine-spacing-sm)" }}>
      {facts.map((fact) => (
        <div key={fact.label} title={fact.hint}>
          <Text component="dt" size="xs" c="dimmed">
            {fact.label}
          </Text>
          <Text component="dd" m={0} fz="lg" fw={600} className="num">
            {fact.value}
          </Text>
        </div>
      ))}
    </Group>
  );
}
