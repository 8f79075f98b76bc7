import { Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

interface PageHeaderProps {
  readonly title: string;
  /** What stands in the browser's tab in place of the title */
  readonly tabTitle?: string;
  readonly help?: ReactNode;
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
}

/** Names the page, in the document's title too, and carries its main actions. */
export function PageHeader({ title, tabTitle = title, help, badge, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${tabTitle} · Hopwise`;
  }, [tabTitle]);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <div style={{ minWidth: 0 }}>
        <Group gap="sm">
          <Title order={1} lineClamp={3} title={title} style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {badge}
        </Group>
        {help && (
          <Text c="dimmed" mt={4} maw={typeof help === "string" ? 640 : "none"} component="div">
            {help}
          </Text>
        )}
      </div>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
