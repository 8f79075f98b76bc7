import { Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { CatalogComponent } from "../../services/job-form.ts";
import { SchemaForm } from "../SchemaForm/SchemaForm.tsx";

interface ComponentSectionProps {
  readonly title: string;
  readonly help: string;
  /** Name in the spec, e.g. `model`. */
  readonly section: string;
  readonly components: readonly CatalogComponent[];
  /** The component used when the spec names none. */
  readonly fallback: string | null;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly errors: ReadonlyMap<string, string>;
}

/** A choice of component and the options of the chosen one. */
export function ComponentSection(props: ComponentSectionProps) {
  const { title, help, section, components, fallback, value, onChange, errors } = props;
  const choice = (value ?? {}) as { type?: string; options?: Record<string, unknown> };
  const type = choice.type ?? fallback ?? components[0]?.name ?? "";
  const chosen = components.find((component) => component.name === type);
  // Options stay with their type: who looks at another one and comes back finds what was typed.
  const [left, setLeft] = useState<Readonly<Record<string, unknown>>>({});
  const choose = (next: string | null) => {
    if (!next || next === type) return;
    setLeft({ ...left, [type]: value });
    onChange(left[next] ?? { type: next });
  };
  return (
    <Stack gap="md">
      <div>
        <Select
          label={title}
          description={help}
          maw={360}
          error={errors.get(`/${section}/type`) ?? errors.get(`/${section}`)}
          data={components.map((component) => ({ value: component.name, label: component.title }))}
          value={type}
          onChange={choose}
          allowDeselect={false}
        />
        {chosen && (
          <Text size="sm" c="dimmed" mt={6} maw={640}>
            {chosen.summary} {chosen.reference && <span>({chosen.reference})</span>}
          </Text>
        )}
      </div>
      {chosen && (
        <SchemaForm
          schema={chosen.optionsSchema}
          pointer={`/${section}/options`}
          value={choice.options}
          onChange={(options) => onChange({ type, ...(options && { options }) })}
          errors={errors}
        />
      )}
    </Stack>
  );
}
