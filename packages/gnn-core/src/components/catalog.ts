import { z } from "zod";
import type { ComponentKind } from "./component.ts";
import type { Registry } from "./registry.ts";

/** One component as the catalogue shows it: enough to draw a form and to document it. */
export interface CatalogEntry {
  readonly kind: ComponentKind;
  readonly name: string;
  readonly version: number;
  readonly title: string;
  readonly summary: string;
  readonly reference: string | null;
  /** JSON Schema (draft 2020-12) of the options, with defaults, ranges and help. */
  readonly optionsSchema: Record<string, unknown>;
}

const shown: readonly ComponentKind[] = ["model", "sampler", "partitioner", "reader", "step"];

/** Every component with the JSON Schema of its options; forms, CLI flags and docs tables derive from it. */
export function catalogOf(registry: Registry): readonly CatalogEntry[] {
  return shown.flatMap((kind) =>
    registry.list(kind).map((component) => ({
      kind,
      name: component.name,
      version: component.version,
      title: component.title,
      summary: component.summary,
      reference: component.reference ?? null,
      optionsSchema: z.toJSONSchema(component.options, { io: "input" }) as Record<string, unknown>,
    })),
  );
}
