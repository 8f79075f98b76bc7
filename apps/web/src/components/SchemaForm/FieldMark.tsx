import { Anchor } from "@mantine/core";
import { type ReactNode, useContext, useRef } from "react";
import classes from "./FieldMark.module.css";
import { FieldChangesContext } from "./field-view.ts";

interface FieldMarkProps {
  readonly pointer: string;
  readonly children: ReactNode;
}

/** A field with a mark where it was changed, and the way back to the value before. */
export function FieldMark({ pointer, children }: FieldMarkProps) {
  const { changes, onReset } = useContext(FieldChangesContext);
  const field = useRef<HTMLDivElement>(null);
  const change = changes.get(pointer);
  // One element with and without a mark: a field that is being typed in must stay where it is.
  return (
    <div ref={field} className={classes.field} data-changed={change ? true : undefined}>
      {children}
      {change && (
        <Anchor
          component="button"
          type="button"
          size="xs"
          mt={4}
          aria-label={`Set ${change.label} back to ${change.before}`}
          onClick={() => {
            onReset(change);
            // The button goes; the keyboard stays at the field.
            field.current?.querySelector<HTMLElement>("input, textarea")?.focus();
          }}
        >
          Changed. Set back to {change.before}
        </Anchor>
      )}
    </div>
  );
}
