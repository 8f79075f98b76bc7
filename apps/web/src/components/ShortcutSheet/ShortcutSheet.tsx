import { Group, Kbd, Modal, Stack, Text } from "@mantine/core";
import { shortcuts } from "../../services/shortcuts.ts";

/** Every shortcut of the dashboard. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" centered>
      <Stack gap="xs">
        {shortcuts.map(({ keys, does }) => (
          <Group key={does} justify="space-between" wrap="nowrap">
            <Text size="sm">{does}</Text>
            <Group gap={4} wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
        <Text size="xs" c="dimmed">
          While you type in a field only Ctrl K counts. On a Mac it is ⌘ K.
        </Text>
      </Stack>
    </Modal>
  );
}
