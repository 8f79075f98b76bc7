import { GnnError } from "../errors/gnn-error.ts";
import type { ComponentKind } from "./component.ts";
import type { ModelComponent } from "./define-model.ts";
import type { PartitionerComponent } from "./define-partitioner.ts";
import type { ReaderComponent } from "./define-reader.ts";
import type { SamplerComponent } from "./define-sampler.ts";
import type { StepComponent } from "./define-step.ts";

export interface ComponentsByKind {
  model: ModelComponent;
  sampler: SamplerComponent;
  partitioner: PartitionerComponent;
  reader: ReaderComponent;
  step: StepComponent;
}
export type Component = ComponentsByKind[ComponentKind];

/** The components of this process by kind and name. */
export class Registry {
  readonly #byKind = new Map<ComponentKind, Map<string, Component>>();

  /** @throws GnnError COMPONENT_INVALID when the kind already has a component of this name */
  add(component: Component): void {
    const names = this.#byKind.get(component.kind) ?? new Map<string, Component>();
    if (names.has(component.name)) {
      throw new GnnError(
        "COMPONENT_INVALID",
        `Two ${component.kind}s are called "${component.name}"; rename one of them.`,
      );
    }
    this.#byKind.set(component.kind, names.set(component.name, component));
  }

  list<K extends ComponentKind>(kind: K): readonly ComponentsByKind[K][] {
    const components = [...(this.#byKind.get(kind)?.values() ?? [])] as ComponentsByKind[K][];
    return components.toSorted((a, b) => a.name.localeCompare(b.name));
  }

  /** @throws GnnError COMPONENT_UNKNOWN naming what there is */
  get<K extends ComponentKind>(kind: K, name: string): ComponentsByKind[K] {
    const found = this.#byKind.get(kind)?.get(name);
    if (found) return found as ComponentsByKind[K];
    const known = this.list(kind)
      .map((component) => component.name)
      .join(", ");
    throw new GnnError("COMPONENT_UNKNOWN", `There is no ${kind} "${name}"; registered are: ${known}.`);
  }
}
