import { SimpleGrid, Stack } from "@mantine/core";
import { useContext } from "react";
import { hasErrorIn, isFound, saysIt } from "../../services/field-search.ts";
import { withChild } from "../../services/job-form.ts";
import { type JsonSchema, shapeOf } from "../../services/json-schema.ts";
import { FieldSearch } from "./field-view.ts";
import { SchemaField } from "./SchemaField.tsx";

export interface SchemaFormProps {
  /** An object schema; every property becomes a field. */
  readonly schema: JsonSchema;
  /** JSON pointer of the object in the whole spec; errors find their field by it. */
  readonly pointer: string;
  /** Only what differs from the defaults. */
  readonly value: unknown;
  readonly onChange: (value: Record<string, unknown> | undefined) => void;
  /** Message by pointer of the field it belongs to. */
  readonly errors: ReadonlyMap<string, string>;
  /** Properties drawn elsewhere. */
  readonly omit?: readonly string[];
}

/** The fields of an object schema: simple ones side by side, objects as groups of their own below. */
export function SchemaForm({ schema, pointer, value, onChange, errors, omit = [] }: SchemaFormProps) {
  const values = (value ?? {}) as Record<string, unknown>;
  const search = useContext(FieldSearch);
  const isShown = (name: string, child: JsonSchema) =>
    isFound(name, child, search) || hasErrorIn(errors, `${pointer}/${name}`);
  const entries = drawnProperties(schema).filter(([name, child]) => !omit.includes(name) && isShown(name, child));
  const field = ([name, child]: [string, JsonSchema]) => (
    // What is found by its own name is shown whole.
    <FieldSearch key={name} value={saysIt(name, child, search) ? "" : search}>
      <SchemaField
        name={name}
        schema={child}
        pointer={`${pointer}/${name}`}
        value={values[name]}
        errors={errors}
        onChange={(next) => onChange(withChild(values, name, next, child))}
      />
    </FieldSearch>
  );
  const simple = entries.filter(([, child]) => !isGroup(child));
  const groups = entries.filter(([, child]) => isGroup(child));
  return (
    <Stack gap="lg">
      {simple.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
          {simple.map(field)}
        </SimpleGrid>
      )}
      {groups.map(field)}
    </Stack>
  );
}

/** The properties of an object schema that leave something to choose. */
export function drawnProperties(schema: JsonSchema): [string, JsonSchema][] {
  const shape = shapeOf(schema);
  if (shape.kind !== "object") return [];
  return Object.entries(shape.properties).filter(([, child]) => shapeOf(child).kind !== "fixed");
}

function isGroup(schema: JsonSchema): boolean {
  const shape = shapeOf(schema);
  if (shape.kind === "literalOr") return isGroup(shape.other);
  return shape.kind === "object" || shape.kind === "variants" || shape.kind === "json";
}
