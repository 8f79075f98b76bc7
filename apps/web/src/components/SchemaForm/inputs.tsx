import { MultiSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FieldShape, JsonSchema } from "../../services/json-schema.ts";

interface InputProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

interface NumberFieldProps extends InputProps {
  readonly schema: JsonSchema;
  readonly integer: boolean;
  readonly placeholder?: string;
}

/** A number; an empty field means that nothing is set. The range is the API's to refuse, so that its words are shown. */
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
  return (
    <NumberInput
      label={label}
      description={description}
      error={error}
      placeholder={placeholder}
      allowDecimal={!integer}
      decimalScale={integer ? 0 : 12}
      step={integer ? 1 : stepOf(value)}
      allowNegative={(schema.minimum ?? schema.exclusiveMinimum ?? -1) < 0}
      value={typeof value === "number" ? value : ""}
      onChange={(next) => onChange(typeof next === "number" ? next : undefined)}
      className="num"
    />
  );
}

/** One click changes the second digit: 0.003 goes by 0.001. */
function stepOf(value: unknown): number {
  return typeof value === "number" && value !== 0 ? 10 ** Math.floor(Math.log10(Math.abs(value))) : 0.1;
}

interface ListFieldProps extends InputProps {
  readonly shape: Extract<FieldShape, { kind: "numbers" | "texts" }>;
}

/** A list: chosen from what is known, or typed with commas. */
export function ListField({ label, description, error, shape, value, onChange }: ListFieldProps) {
  const items = Array.isArray(value) ? value : [];
  const [text, setText] = useState<string | null>(null);
  const isNumbers = shape.kind === "numbers";
  const parsed = text === null ? items : parseList(text, isNumbers);
  if (shape.kind === "texts" && shape.options) {
    return (
      <MultiSelect
        label={label}
        description={description}
        error={error}
        data={[...shape.options]}
        value={items.map(String)}
        onChange={onChange}
      />
    );
  }
  return (
    <TextInput
      label={label}
      description={description}
      error={parsed === null ? "Numbers, with commas between them: 15, 10" : error}
      value={text ?? items.join(", ")}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const next = parseList(event.currentTarget.value, isNumbers);
        if (next !== null) onChange(next);
      }}
      onBlur={() => parsed !== null && setText(null)}
    />
  );
}

function parseList(text: string, isNumbers: boolean): unknown[] | null {
  const parts = text
    .split(/[,\s]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (!isNumbers) return parts;
  const numbers = parts.map(Number);
  return numbers.every(Number.isFinite) ? numbers : null;
}

/** What has no better control. */
export function JsonField({ label, description, error, value, onChange }: InputProps) {
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? (value === undefined ? "" : JSON.stringify(value, null, 2));
  return (
    <Textarea
      label={label}
      description={[description, "JSON"].filter(Boolean).join(" · ")}
      error={text !== null && parseJsonText(text) === null ? "This is not JSON yet" : error}
      value={shown}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const parsed = parseJsonText(event.currentTarget.value);
        if (parsed !== null) onChange(parsed.value);
      }}
      autosize
      minRows={1}
      maxRows={10}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
    />
  );
}

function parseJsonText(text: string): { value: unknown } | null {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
