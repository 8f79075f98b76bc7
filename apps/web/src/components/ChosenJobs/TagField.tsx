import { Button, Group, Popover, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";

interface TagFieldProps {
  readonly isBusy: boolean;
  readonly onTag: (name: string, value: string) => Promise<void>;
}

/** Asks for a tag, `baseline` or `owner: ada`. */
export function TagField({ isBusy, onTag }: TagFieldProps) {
  const [opened, { toggle, close }] = useDisclosure();
  const [text, setText] = useState("");
  const [name = "", ...rest] = text.split(":").map((part) => part.trim());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name === "") return;
    await onTag(name, rest.join(":"));
    setText("");
    close();
  };
  return (
    <Popover opened={opened} onChange={toggle} onDismiss={close} trapFocus returnFocus>
      <Popover.Target>
        <Button size="compact-sm" variant="default" onClick={toggle}>
          Tag
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={(event) => void submit(event)}>
          <Group gap="xs" align="flex-end">
            <TextInput
              size="xs"
              label="Tag"
              placeholder="baseline, or owner: ada"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button size="xs" type="submit" loading={isBusy} disabled={name === ""}>
              Add the tag
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
