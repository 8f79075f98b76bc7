import { TextInput } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useDraft } from "../../hooks/use-draft.ts";
import { parseNumber, stepped } from "../../services/field-text.ts";
import type { JsonSchema } from "../../services/json-schema.ts";
import type { InputProps } from "./inputs.tsx";

interface NumberFieldProps extends InputProps {
  readonly schema: JsonSchema;
  readonly integer: boolean;
  readonly placeholder?: string;
}

/** A number, typed in any notation or stepped with the arrow keys; an empty field means that nothing is set. */
export function NumberField({
  label,
  description,
  error,
  schema,
  integer,
  placeholder,
  value,
  onChange,
}: NumberFieldProps) {
  const parse = (text: string) => parseNumber(text, schema, integer);
  const { problem, ...input } = useDraft(value, formatNumber, parse, onChange);
  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : null;
    if (direction === null || typeof value !== "number") return;
    event.preventDefault();
    const next = stepped(value, direction, integer);
    if ("problem" in parse(String(next))) return;
    input.onBlur();
    onChange(next);
  };
  return (
    <TextInput
      {...input}
      label={label}
      description={description}
      error={problem ?? error}
      placeholder={placeholder ?? defaultOf(schema)}
      inputMode={integer ? "numeric" : "decimal"}
      autoComplete="off"
      spellCheck={false}
      onKeyDown={step}
      className="num"
    />
  );
}

function formatNumber(value: unknown): string {
  return typeof value === "number" ? String(value) : "";
}

function defaultOf(schema: JsonSchema): string | undefined {
  return typeof schema.default === "number" ? String(schema.default) : undefined;
}
