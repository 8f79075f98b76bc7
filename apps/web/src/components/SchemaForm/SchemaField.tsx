import { Fieldset, Select, Stack, Switch, TextInput } from "@mantine/core";
import { humanize } from "../../services/format.ts";
import { withChild } from "../../services/job-form.ts";
import { type FieldShape, type JsonSchema, rangeOf, shapeOf } from "../../services/json-schema.ts";
import { optionText } from "../../services/option-words.ts";
import { FieldMark } from "./FieldMark.tsx";
import { DurationField, JsonField, ListField, RecordField } from "./inputs.tsx";
import { NumberField } from "./NumberField.tsx";
import classes from "./SchemaField.module.css";
import { drawnProperties, SchemaForm } from "./SchemaForm.tsx";

export interface SchemaFieldProps {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly pointer: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly errors: ReadonlyMap<string, string>;
}

type FieldOf<Kind extends FieldShape["kind"]> = SchemaFieldProps & {
  readonly shape: Extract<FieldShape, { kind: Kind }>;
};

/** One property of a schema, marked where it differs from what the form started from. */
export function SchemaField(props: SchemaFieldProps) {
  return (
    <FieldMark pointer={props.pointer}>
      <Control {...props} />
    </FieldMark>
  );
}

/** The control that suits the shape of the schema. */
function Control(props: SchemaFieldProps) {
  const { schema, value, onChange, errors, pointer } = props;
  const shape = shapeOf(schema);
  const current = value === undefined ? schema.default : value;
  const common = { label: labelOf(props), description: helpOf(schema), error: errors.get(pointer) };
  switch (shape.kind) {
    case "select":
      return (
        <Select
          {...common}
          data={shape.options.map((option) => ({ value: option, label: optionText(option) }))}
          value={typeof current === "string" ? current : current === undefined ? null : JSON.stringify(current)}
          onChange={(next) => onChange(next ?? undefined)}
          allowDeselect={false}
        />
      );
    case "number":
      return <NumberField {...common} schema={schema} integer={shape.integer} value={current} onChange={onChange} />;
    case "boolean":
      return (
        <Switch
          {...common}
          mt="lg"
          checked={current === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "text":
      return (
        <TextInput
          {...common}
          value={typeof current === "string" ? current : ""}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "duration":
      return <DurationField {...common} value={current} onChange={onChange} />;
    case "record":
      return <RecordField {...common} value={current} onChange={onChange} />;
    case "numbers":
    case "texts":
      return <ListField {...common} shape={shape} value={current} onChange={onChange} />;
    case "object":
      return <ObjectField {...props} />;
    case "literalOr":
      return <OptionalField {...props} shape={shape} />;
    case "variants":
      return <VariantsField {...props} shape={shape} />;
    case "json":
      return <JsonField {...common} value={current} onChange={onChange} />;
    case "fixed":
    default:
      return null;
  }
}

function labelOf({ name, schema }: Pick<SchemaFieldProps, "name" | "schema">): string {
  return schema.title ?? humanize(name);
}

/** What it is, and the range; the default is what the field shows. */
function helpOf(schema: JsonSchema): string | undefined {
  const parts = [schema.description, rangeOf(schema)].filter((part) => typeof part === "string");
  return parts.length > 0 ? parts.join(" · ") : undefined;
}

function ObjectField(props: SchemaFieldProps) {
  const { schema, pointer, value, onChange, errors } = props;
  const [only, ...more] = drawnProperties(schema);
  // A group that holds nothing but a group ("optimizer" with "options") needs one heading, not two.
  if (only && more.length === 0 && shapeOf(only[1]).kind === "object") {
    const [name, child] = only;
    return (
      <ObjectField
        {...props}
        schema={{ ...child, title: labelOf(props) }}
        pointer={`${pointer}/${name}`}
        value={(value as Record<string, unknown> | undefined)?.[name]}
        onChange={(next) => onChange(withChild((value ?? {}) as Record<string, unknown>, name, next, child))}
      />
    );
  }
  return (
    <Fieldset legend={labelOf(props)} variant="unstyled" className={classes.group}>
      <Stack gap="sm">
        <SchemaForm schema={schema} pointer={pointer} value={value} onChange={onChange} errors={errors} />
      </Stack>
    </Fieldset>
  );
}

/** "auto" or null, or a value: an empty number field, or a switch before a group. */
function OptionalField(props: FieldOf<"literalOr">) {
  const { schema, pointer, value, onChange, errors, shape } = props;
  const { literal, other } = shape;
  const current = value === undefined ? (schema.default ?? null) : value;
  const inner = shapeOf(other);
  const label = labelOf(props);
  const description = [schema.description, helpOf(other)].filter(Boolean).join(" · ") || undefined;
  if (inner.kind === "number") {
    return (
      <NumberField
        label={label}
        description={description}
        error={errors.get(pointer)}
        schema={other}
        integer={inner.integer}
        placeholder={literal ?? "off"}
        value={current === literal ? undefined : current}
        onChange={(next) => onChange(next === undefined ? literal : next)}
      />
    );
  }
  const isOn = current !== literal;
  return (
    <Stack gap="sm">
      <Switch
        label={label}
        description={description}
        error={errors.get(pointer)}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked ? (other.default ?? {}) : literal)}
      />
      {isOn && (
        <div className={classes.group}>
          <SchemaForm
            schema={other}
            pointer={pointer}
            value={current}
            onChange={(next) => onChange(next ?? {})}
            errors={errors}
          />
        </div>
      )}
    </Stack>
  );
}

/** A choice of type, then that type's own fields. */
function VariantsField(props: FieldOf<"variants">) {
  const { schema, pointer, value, onChange, errors, shape } = props;
  const current = (value ?? schema.default ?? {}) as Record<string, unknown>;
  const tag = current[shape.tag];
  const chosen = typeof tag === "string" ? tag : (Object.keys(shape.variants)[0] ?? "");
  const variant = shape.variants[chosen];
  return (
    <Fieldset legend={labelOf(props)} variant="unstyled" className={classes.group}>
      <Stack gap="sm">
        <Select
          label={humanize(shape.tag)}
          aria-label={`${labelOf(props)}: ${shape.tag}`}
          description={schema.description}
          error={errors.get(pointer) ?? errors.get(`${pointer}/${shape.tag}`)}
          data={Object.keys(shape.variants).map((variant) => ({ value: variant, label: optionText(variant) }))}
          value={chosen}
          onChange={(next) => next && onChange({ [shape.tag]: next })}
          allowDeselect={false}
          maw={320}
        />
        {variant && (
          <SchemaForm
            schema={variant}
            pointer={pointer}
            value={current}
            onChange={(next) => onChange({ ...next, [shape.tag]: chosen })}
            errors={errors}
            omit={[shape.tag]}
          />
        )}
      </Stack>
    </Fieldset>
  );
}
