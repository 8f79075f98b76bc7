import { MultiSelect, Textarea, TextInput } from "@mantine/core";
import { useDraft } from "../../hooks/use-draft.ts";
import { formatDuration, parseDuration } from "../../services/duration.ts";
import { formatRecord, parseJson, parseList, parseRecord } from "../../services/field-text.ts";
import type { FieldShape } from "../../services/json-schema.ts";
import { optionText } from "../../services/option-words.ts";

export interface InputProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

interface ListFieldProps extends InputProps {
  readonly shape: Extract<FieldShape, { kind: "numbers" | "texts" }>;
}

/** A list: chosen from what is known, or typed with commas. */
export function ListField({ label, description, error, shape, value, onChange }: ListFieldProps) {
  const items = Array.isArray(value) ? value : [];
  const parse = (text: string) => parseList(text, shape.kind === "numbers");
  const { problem, ...input } = useDraft(value, () => items.join(", "), parse, onChange);
  if (shape.kind === "texts" && shape.options) {
    return (
      <MultiSelect
        label={label}
        description={description}
        error={error}
        data={shape.options.map((option) => ({ value: option, label: optionText(option) }))}
        value={items.map(String)}
        onChange={onChange}
      />
    );
  }
  return <TextInput {...input} label={label} description={description} error={problem ?? error} />;
}

/** A duration in days, hours and minutes; the spec holds it as ISO 8601. */
export function DurationField({ label, description, error, value, onChange }: InputProps) {
  const format = (iso: unknown) => (typeof iso === "string" ? formatDuration(iso) : "");
  const { problem, ...input } = useDraft(undefined, () => format(value), parseDuration, onChange);
  const help = [description, "Days, hours or minutes: 90 min, 2 h, 1 d 12 h"].filter(Boolean).join(" · ");
  return <TextInput {...input} label={label} description={help} error={problem ?? error} />;
}

/** Names of one's own, each with a text. */
export function RecordField({ label, description, error, value, onChange }: InputProps) {
  const { problem, ...input } = useDraft(value, formatRecord, parseRecord, onChange);
  const help = [description, "Names and texts: gpu=a100, zone=b"].filter(Boolean).join(" · ");
  return <TextInput {...input} label={label} description={help} error={problem ?? error} placeholder="none" />;
}

/** What has no better control. */
export function JsonField({ label, description, error, value, onChange }: InputProps) {
  const format = (json: unknown) => (json === undefined ? "" : JSON.stringify(json, null, 2));
  const { problem, ...input } = useDraft(value, format, parseJson, onChange);
  return (
    <Textarea
      {...input}
      label={label}
      description={[description, "JSON"].filter(Boolean).join(" · ")}
      error={problem ?? error}
      autosize
      minRows={1}
      maxRows={10}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
    />
  );
}
