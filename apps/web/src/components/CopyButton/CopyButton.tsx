import { Button, CopyButton as MantineCopyButton, UnstyledButton } from "@mantine/core";

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

/** An id as text that copies itself when clicked. Its hint is the browser's: a tooltip's code would hold up pages. */
export function CopyId({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <UnstyledButton
          onClick={copy}
          title={`Copy ${name}`}
          aria-label={`Copy ${name} ${value}`}
          ff="monospace"
          fz="sm"
          c="dimmed"
        >
          {value}
          <span aria-live="polite">{copied && " (copied)"}</span>
        </UnstyledButton>
      )}
    </MantineCopyButton>
  );
}
