import { catalogOf, loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, it } from "vitest";
import { jobSpecSchema } from "../../src/jobs/spec-schemas.ts";

interface Schema {
  readonly description?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly { readonly then: Schema }[];
  readonly items?: Schema;
}

/** Fields that hold no other fields and are not told what they mean. */
function undescribed(schema: Schema, path = ""): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const deeper = undescribed(field, `${path}/${name}`);
    const isSection = JSON.stringify(field).includes('"properties"');
    return isSection || field.description || field.const !== undefined ? deeper : [`${path}/${name}`, ...deeper];
  });
  const rules = schema.allOf?.map((rule) => rule.then) ?? [];
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...rules, ...(schema.items ? [schema.items] : [])];
  return [...own, ...inner.flatMap((part) => undescribed(part, path))];
}

it("every field of a job spec, and every option of a component, says what it means", async () => {
  expect(undescribed(jobSpecSchema(catalogOf(await loadRegistry())) as Schema)).toEqual([]);
});
