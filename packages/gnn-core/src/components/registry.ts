import { GnnError } from "../errors/gnn-error.ts";
import type { ComponentKind } from "./component.ts";
import type { ModelComponent } from "./define-model.ts";
import type { PartitionerComponent } from "./define-partitioner.ts";
import type { ReaderComponent } from "./define-reader.ts";
import type { SamplerComponent } from "./define-sampler.ts";
import type { StepComponent } from "./define-step.ts";
import type { TaskComponent } from "./define-task.ts";

export interface ComponentsByKind {
  task: TaskComponent;
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

  /** @throws GnnError COMPONENT_INVALID when the kind already has a component of this name, or a default task */
  add(component: Component): void {
    const names = this.#byKind.get(component.kind) ?? new Map<string, Component>();
    if (names.has(component.name)) {
      throw new GnnError(
        "COMPONENT_INVALID",
        `Two ${component.kind}s are called "${component.name}"; rename one of them.`,
      );
    }
    if (component.kind === "task" && component.isDefault) this.#refuseSecondDefault(component.name);
    this.#byKind.set(component.kind, names.set(component.name, component));
  }

  #refuseSecondDefault(name: string): void {
    const other = this.list("task").find(({ isDefault }) => isDefault);
    if (!other) return;
    const message = `The tasks "${other.name}" and "${name}" both say that they are the default; leave isDefault out of one.`;
    throw new GnnError("COMPONENT_INVALID", message);
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
