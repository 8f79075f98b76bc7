import { Stack } from "@mantine/core";
import { type Catalog, componentSections, type SparseSpec } from "../../services/job-form.ts";
import { schemaAt } from "../../services/json-schema.ts";
import { Panel } from "../Panel/Panel.tsx";
import { SchemaForm } from "../SchemaForm/SchemaForm.tsx";
import { ComponentSection } from "./ComponentSection.tsx";
import classes from "./JobForm.module.css";

interface SpecSectionsProps {
  readonly catalog: Catalog;
  readonly spec: SparseSpec;
  readonly onChange: (section: string, value: unknown) => void;
  readonly errors: ReadonlyMap<string, string>;
}

/** Every section of the spec, drawn from the catalogue's schemas; what is seldom changed is folded away. */
export function SpecSections(props: SpecSectionsProps) {
  return (
    <>
      <ComponentSections {...props} />
      <Panel title="Training" help="How long and how fast the model learns.">
        <SectionFields {...props} name="train" />
      </Panel>
      <Panel title="Resources" help="Ranks are processes that train together; each holds one part of the graph.">
        <SectionFields {...props} name="resources" />
      </Panel>
      <details>
        <summary className={classes.summary}>Task, split, features and outputs</summary>
        <Stack gap="lg" mt="md">
          <Panel title="Task">
            <SectionFields {...props} name="task" />
          </Panel>
          <Panel title="Split">
            <SplitFields {...props} />
          </Panel>
          <Panel title="Features">
            <SectionFields {...props} name="features" />
          </Panel>
          <Panel title="Outputs">
            <SectionFields {...props} name="outputs" />
          </Panel>
        </Stack>
      </details>
    </>
  );
}

function ComponentSections({ catalog, spec, onChange, errors }: SpecSectionsProps) {
  return componentSections.map(({ section, kind, title, help }) => (
    <ComponentSection
      key={section}
      title={title}
      help={help}
      section={section}
      components={catalog.components.filter((component) => component.kind === kind)}
      fallback={defaultComponent(catalog, section)}
      value={spec[section]}
      onChange={(value) => onChange(section, value)}
      errors={errors}
    />
  ));
}

function defaultComponent(catalog: Catalog, section: string): string | null {
  const choice = schemaAt(catalog.jobSpecSchema, [section]);
  const type = schemaAt(choice, ["type"])?.default;
  return typeof type === "string" ? type : null;
}

function SectionFields({ catalog, spec, onChange, errors, name }: SpecSectionsProps & { readonly name: string }) {
  const schema = schemaAt(catalog.jobSpecSchema, [name]);
  if (!schema) return null;
  return (
    <SchemaForm
      schema={schema}
      pointer={`/${name}`}
      value={spec[name]}
      onChange={(value) => onChange(name, value)}
      errors={errors}
    />
  );
}

/** The split is a choice between objects, so it is drawn as a field of a form with one field. */
function SplitFields({ catalog, spec, onChange, errors }: SpecSectionsProps) {
  const split = schemaAt(catalog.jobSpecSchema, ["split"]);
  if (!split) return null;
  return (
    <SchemaForm
      schema={{ type: "object", properties: { split } }}
      pointer=""
      value={{ split: spec["split"] }}
      onChange={(value) => onChange("split", value?.["split"])}
      errors={errors}
    />
  );
}
