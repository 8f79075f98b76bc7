import { Button, CloseButton, Group, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { browserShelf } from "../../services/job-columns.ts";
import { type SavedView, storedViews, storeViews, withView } from "../../services/saved-views.ts";

interface SavedViewsProps {
  /** The list as it is looked at now */
  readonly current: Omit<SavedView, "name">;
  readonly onOpen: (view: SavedView) => void;
}

/** Filters, order and columns of the list of jobs, kept in this browser under names. */
export function SavedViews({ current, onOpen }: SavedViewsProps) {
  const [opened, { toggle, close }] = useDisclosure();
  const [views, setViews] = useState(() => storedViews(browserShelf()));
  const keep = (next: readonly SavedView[]) => {
    storeViews(browserShelf(), next);
    setViews(next);
  };
  const open = (view: SavedView) => {
    onOpen(view);
    close();
  };
  return (
    <Popover opened={opened} onChange={toggle} onDismiss={close} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" onClick={toggle}>
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" role="group" aria-label="Saved views">
          {views.length === 0 && (
            <Text size="xs" c="dimmed">
              Filter and sort the list, choose its columns, and save how it looks under a name.
            </Text>
          )}
          {views.map((view) => (
            <Group key={view.name} gap={4} wrap="nowrap" justify="space-between">
              <Button size="compact-sm" variant="subtle" onClick={() => open(view)}>
                {view.name}
              </Button>
              <CloseButton
                size="sm"
                aria-label={`Forget the view ${view.name}`}
                onClick={() => keep(views.filter(({ name }) => name !== view.name))}
              />
            </Group>
          ))}
          <NewView onSave={(name) => keep(withView(views, { name, ...current }))} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function NewView({ onSave }: { readonly onSave: (name: string) => void }) {
  const [name, setName] = useState("");
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    onSave(name.trim());
    setName("");
  };
  return (
    <form onSubmit={save}>
      <Group gap="xs" align="flex-end">
        <TextInput
          size="xs"
          label="Name of the view"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" disabled={name.trim() === ""}>
          Save
        </Button>
      </Group>
    </form>
  );
}
