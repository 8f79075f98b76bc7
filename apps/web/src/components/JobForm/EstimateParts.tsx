import { Group, Stack, Text } from "@mantine/core";
import { type EstimateLine, estimateParts } from "../../services/estimate-parts.ts";
import classes from "./JobForm.module.css";

/** What the figures of the estimate are made of, folded until somebody wonders. */
export function EstimateParts({ explanation }: { readonly explanation: readonly EstimateLine[] }) {
  return (
    <details>
      <summary className={classes.summary}>What it is made of</summary>
      <Stack gap="sm" mt="xs">
        {estimateParts(explanation).map(({ title, lines }) => (
          <section key={title} aria-label={title}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            {lines.map(({ what, text }) => (
              <Group key={what} justify="space-between" wrap="nowrap" gap="md" align="baseline">
                <Text size="xs">{what}</Text>
                <Text size="xs" className="num" flex="none">
                  {text}
                </Text>
              </Group>
            ))}
          </section>
        ))}
        <Text size="xs" c="dimmed">
          Times are those of the formulas; their sum above is scaled by what earlier jobs here took.
        </Text>
      </Stack>
    </details>
  );
}
