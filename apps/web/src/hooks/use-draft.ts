import { type ChangeEvent, useState } from "react";
import type { FieldText } from "../services/field-text.ts";

/**
 * The text of a field while somebody types in it: it stays as it was typed until the field is left. A text that says
 * nothing yet goes up as it is, so that it is refused where it stands, instead of an earlier value being sent in its
 * place; it comes back as the value and is shown again.
 */
export function useDraft(
  value: unknown,
  format: (value: unknown) => string,
  parse: (text: string) => FieldText,
  onChange: (value: unknown) => void,
) {
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? (typeof value === "string" ? value : format(value));
  const parsed = parse(text);
  return {
    problem: "problem" in parsed ? parsed.problem : null,
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const typed = event.currentTarget.value;
      const next = parse(typed);
      setDraft(typed);
      onChange("problem" in next ? typed : next.value);
    },
    onBlur: () => setDraft(null),
  };
}
