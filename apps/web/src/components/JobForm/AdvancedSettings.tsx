import { Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { hasErrorIn, hasWords, isFound } from "../../services/field-search.ts";
import { type Catalog, componentSections, plainSections, type SparseSpec } from "../../services/job-form.ts";
import { type JsonSchema, schemaAt, shapeOf } from "../../services/json-schema.ts";
import { type SpecChange, sectionTitle } from "../../services/spec-changes.ts";
import { FieldMark } from "../SchemaForm/FieldMark.tsx";
import { FieldSearch } from "../SchemaForm/field-view.ts";
import { SchemaForm } from "../SchemaForm/SchemaForm.tsx";
import { ComponentSection } from "./ComponentSection.tsx";
import { Fold } from "./Fold.tsx";

interface AdvancedSettingsProps {
  readonly catalog: Catalog;
  readonly spec: SparseSpec;
  readonly changes: readonly SpecChange[];
  readonly onChange: (section: string, value: unknown) => void;
  readonly errors: ReadonlyMap<string, string>;
}

/** What the page draws above, where everybody looks first */
const drawnAbove: Readonly<Record<string, readonly string[]>> = { train: ["epochs"], resources: ["ranks"] };

/** Every other setting, drawn from the catalogue's schemas: folded by section, and found by its words. */
export function AdvancedSettings(props: AdvancedSettingsProps) {
  const { changes, errors } = props;
  const [typed, setTyped] = useState("");
  const search = typed.trim();
  const groups = groupsOf(props);
  const numFound = groups.filter((group) => isGroupFound(group, search, errors)).length;
  return (
    <Fold title="Advanced" summary={summaryOf(changes, "Model, sampler, optimizer, resources and all else")} isLarge>
      <Stack gap="sm">
        <TextInput
          type="search"
          label="Find a setting"
          placeholder="dropout, fanout, threads…"
          maw={360}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {numFound === 0 && (
          <Text size="sm" c="dimmed" role="status">
            No setting has these words.
          </Text>
        )}
        <div>
          {groups.map((group) => (
            <GroupFold key={group.section} {...props} group={group} search={search} />
          ))}
        </div>
      </Stack>
    </Fold>
  );
}

interface Group {
  readonly section: string;
  readonly title: string;
  readonly help: string;
  /** What is searched, beside title and help */
  readonly schema: JsonSchema;
  /** Those of a section that chooses a component; null: it chooses none */
  readonly components: Catalog["components"] | null;
  /** The component used when the spec names none */
  readonly fallback: string | null;
}

function groupsOf({ catalog, spec }: AdvancedSettingsProps): Group[] {
  const chosen = componentSections.map(({ section, kind, title, help }): Group => {
    const components = catalog.components.filter((component) => component.kind === kind);
    const type = schemaAt(catalog.jobSpecSchema, [section, "type"])?.default;
    const fallback = typeof type === "string" ? type : null;
    const name = (spec[section] as { type?: string } | undefined)?.type ?? fallback;
    const schema = components.find((component) => component.name === name)?.optionsSchema ?? {};
    return { section, title, help, schema, components, fallback };
  });
  const plain = plainSections(catalog).map(([section, schema]): Group => {
    const help = sectionHelp[section] ?? schema.description ?? "";
    return { section, title: sectionTitle(section), help, schema, components: null, fallback: null };
  });
  // Tags and priority are one field each, and the last that anybody looks for.
  return [
    ...chosen,
    ...plain.filter(({ schema }) => !isField(schema)),
    ...plain.filter(({ schema }) => isField(schema)),
  ];
}

const sectionHelp: Readonly<Record<string, string>> = {
  train: "How long and how fast the model learns.",
  resources: "Ranks are processes that train together; each holds one part of the graph.",
  split: "Which nodes are learned from, and which judge the result.",
};

/** Whether a section is a single field instead of several. */
function isField(schema: JsonSchema): boolean {
  const { kind } = shapeOf(schema);
  return kind !== "object" && kind !== "variants";
}

/** Whether a group has what is searched for, or a field that was refused: that one must be there to be led to. */
function isGroupFound(
  { section, title, help, schema, components }: Group,
  search: string,
  errors: ReadonlyMap<string, string>,
): boolean {
  if (hasErrorIn(errors, `/${section}`)) return true;
  const names = components?.map((component) => `${component.name} ${component.title}`) ?? [];
  return hasWords([title, help, ...names], search) || isFound(section, schema, search);
}

interface GroupFoldProps extends AdvancedSettingsProps {
  readonly group: Group;
  readonly search: string;
}

function GroupFold({ group, search, ...props }: GroupFoldProps) {
  const { spec, changes, onChange, errors } = props;
  const { section, title, help, components, fallback } = group;
  const own = changes.filter(({ pointer }) => pointer === `/${section}` || pointer.startsWith(`/${section}/`));
  const type = (spec[section] as { type?: string } | undefined)?.type ?? fallback;
  const inside = components?.find(({ name }) => name === type)?.title ?? help;
  const isNamed = hasWords([title, help], search);
  return (
    <Fold
      title={title}
      summary={summaryOf(own, inside)}
      isForcedOpen={search !== ""}
      isHidden={!isGroupFound(group, search, errors)}
    >
      <FieldSearch value={isNamed ? "" : search}>
        {components ? (
          <FieldMark pointer={`/${section}`}>
            <ComponentSection
              {...{ title, help, section, components, fallback, errors }}
              value={spec[section]}
              onChange={(value) => onChange(section, value)}
            />
          </FieldMark>
        ) : (
          <PlainSection group={group} value={spec[section]} onChange={onChange} errors={errors} />
        )}
      </FieldSearch>
    </Fold>
  );
}

interface PlainSectionProps extends Pick<AdvancedSettingsProps, "onChange" | "errors"> {
  readonly group: Group;
  readonly value: unknown;
}

/** An object has a form of its own; anything else is drawn as the field of a form with one field. */
function PlainSection({ group: { section, schema }, value, onChange, errors }: PlainSectionProps) {
  if (shapeOf(schema).kind === "object") {
    return (
      <SchemaForm
        schema={schema}
        pointer={`/${section}`}
        value={value}
        onChange={(next) => onChange(section, next)}
        errors={errors}
        omit={drawnAbove[section] ?? []}
      />
    );
  }
  return (
    <SchemaForm
      schema={{ type: "object", properties: { [section]: schema } }}
      pointer=""
      value={{ [section]: value }}
      onChange={(next) => onChange(section, next?.[section])}
      errors={errors}
    />
  );
}

function summaryOf(changes: readonly SpecChange[], otherwise: string): string {
  if (changes.length === 0) return otherwise;
  return `${changes.length} changed: ${changes.map(({ label }) => label.split(" › ").at(-1)).join(", ")}`;
}
