import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { CombinedError } from "urql";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";

interface DeleteMenuProps {
  readonly what: "job" | "dataset" | "version" | "sweep";
  readonly name: string;
  /** What goes and what stays */
  readonly children: ReactNode;
  readonly error: CombinedError | undefined;
  readonly isBusy: boolean;
  readonly onDelete: () => void;
}

/** The menu in which something is deleted, after a question. */
export function DeleteMenu({ what, name, children, error, isBusy, onDelete }: DeleteMenuProps) {
  const [asks, { open, close }] = useDisclosure();
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" onClick={open}>
            Delete this {what}…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asks}
        onClose={close}
        title={`Delete ${name}?`}
        error={error}
        isBusy={isBusy}
        keep="Keep it"
        confirm={`Delete the ${what}`}
        onConfirm={onDelete}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
