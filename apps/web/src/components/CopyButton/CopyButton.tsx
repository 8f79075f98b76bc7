import { Button, CopyButton as MantineCopyButton, Tooltip, UnstyledButton } from "@mantine/core";

/** Copies a text that is too long to show as its own label. */
export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" size="xs" onClick={copy} aria-live="polite">
          {copied ? "Copied" : label}
        </Button>
      )}
    </MantineCopyButton>
  );
}

/** An id as text that copies itself when clicked. */
export function CopyId({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : `Copy ${name}`}>
          <UnstyledButton onClick={copy} aria-label={`Copy ${name} ${value}`} ff="monospace" fz="sm" c="dimmed">
            {value}
          </UnstyledButton>
        </Tooltip>
      )}
    </MantineCopyButton>
  );
}
