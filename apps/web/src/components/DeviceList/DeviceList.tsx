import { Badge, Code, Group, Stack, Text } from "@mantine/core";
import { deviceFacts } from "../../services/device-facts.ts";
import type { workersQuery } from "../../services/documents/workers.ts";
import type { ResultOf } from "../../services/graphql.ts";

type Device = ResultOf<typeof workersQuery>["workers"][number]["devices"][number];

/** The devices of a worker, each with what is known of it and no more. */
export function DeviceList({ devices }: { readonly devices: readonly Device[] }) {
  return (
    <Stack gap={6}>
      {devices.map((device) => (
        <div key={device.uuid ?? `${device.kind} ${device.index}`}>
          <Group gap={6}>
            <Code>{device.uuid === null ? device.kind : `${device.kind} ${device.index}`}</Code>
            <span title={device.uuid ?? undefined}>{device.name}</span>
            {device.isEmulated && (
              <Badge size="sm" color="orange" variant="light" radius="sm" tt="none">
                emulated, for tests
              </Badge>
            )}
          </Group>
          {deviceFacts(device).length > 0 && (
            <Text size="xs" c="dimmed">
              {deviceFacts(device).join(" · ")}
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}
