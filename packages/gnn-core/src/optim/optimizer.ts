import type { CudaAddon } from "../backends/cuda/addon.ts";
import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";
import type { NativeBackend } from "../backends/native/native-backend.ts";
import { backend, getBackend, reshape, type Tensor, tensor1d, tidy, type Variable } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { NamedTensor } from "../io/safetensors.ts";
import type { NamedVariable } from "../nn/variables.ts";
import { DeviceSlots } from "./device-slots.ts";

/** Where the gradient of variable i lies: float32 [its size]. */
export interface GradientSlots {
  slot(index: number): Float32Array;
}

/** What one update of one variable reads and changes. `Values` are arrays for a kernel, tensors for a composition. */
export interface Update<Values> {
  readonly parameter: Values;
  /** The state of the variable, in the order of the rule's `slots` */
  readonly slots: readonly Values[];
  readonly gradient: Values;
  readonly lr: number;
  /** Counts from 1 */
  readonly step: number;
}

/** An update of all variables at once, which lie one behind the other on a device. */
export interface DeviceUpdate {
  readonly addon: CudaAddon;
  readonly parameter: FloatsHandle;
  readonly gradient: FloatsHandle;
  /** What the gradient is multiplied by; nothing is updated where it says that this is not finite */
  readonly scale: FloatsHandle;
  readonly slots: readonly FloatsHandle[];
  readonly lr: number;
  /** Counts from 1 */
  readonly step: number;
}

/** The arithmetic of an optimizer, once as a kernel and once in stock ops. All arrays of an update are equally long. */
export interface UpdateRule {
  readonly name: string;
  readonly lr: number;
  /** Names of the arrays that belong to each variable, zeros at first */
  readonly slots: readonly string[];
  /** Updates parameter and slots in place. */
  native(update: Update<Float32Array>): void;
  /** Enqueues the same on a device. */
  onDevice(update: DeviceUpdate): void;
  /** The parameter and the slots after the update. */
  composed(update: Update<Tensor>): Pick<Update<Tensor>, "parameter" | "slots">;
}

/**
 * Applies a rule to variables. On `native` one kernel updates the variables' memory in place; elsewhere stock ops do.
 * The variables stay their owner's; the state is plain arrays.
 */
export class Optimizer {
  readonly #variables: readonly NamedVariable[];
  readonly #rule: UpdateRule;
  readonly #slots: readonly (readonly Float32Array[])[];
  #device: DeviceSlots | null = null;
  #numSteps = 0;

  constructor(variables: readonly NamedVariable[], rule: UpdateRule) {
    this.#variables = variables;
    this.#rule = rule;
    this.#slots = variables.map(({ variable }) => rule.slots.map(() => new Float32Array(variable.size)));
  }

  /** Updates made so far */
  get numSteps(): number {
    return this.#numSteps;
  }

  /**
   * One update of every variable.
   *
   * @param lr learning rate of this step; left out: that of the options
   * @throws GnnError SHAPE_MISMATCH naming the variable whose gradient has another size; nothing is updated then
   */
  step(gradients: GradientSlots, lr: number = this.#rule.lr): void {
    const parts = this.#variables.map((named, i) => this.#checked(named, gradients.slot(i)));
    this.#numSteps++;
    const apply = getBackend() === "native" ? updateNatively : updateComposed;
    for (const [i, { variable }] of this.#variables.entries()) {
      const slots = this.#slots[i] as readonly Float32Array[];
      const gradient = parts[i] as Float32Array;
      apply(this.#rule, variable, { slots, gradient, lr, step: this.#numSteps });
    }
  }

  /** One update of every variable, enqueued on a device; the state moves there. */
  stepOnDevice(update: Omit<DeviceUpdate, "slots" | "lr" | "step">, lr: number = this.#rule.lr): void {
    this.#device ??= new DeviceSlots(update.addon, this.#rule.slots.length, this.#slots);
    this.#numSteps++;
    this.#rule.onDevice({ ...update, slots: this.#device.handles, lr, step: this.#numSteps });
  }

  /** Gives back what lies on a device. */
  dispose(): void {
    this.#device?.dispose();
    this.#device = null;
  }

  /** Copies of the state: `<variable>.<slot>`, in the order of the variables. */
  state(): readonly NamedTensor[] {
    this.#device?.read(this.#slots);
    return this.#variables.flatMap(({ name, variable: { shape } }, i) =>
      this.#rule.slots.map((slot, j) => {
        const values = this.#slots[i]?.[j] as Float32Array;
        return { name: `${name}.${slot}`, shape, values: values.slice() };
      }),
    );
  }

  /**
   * Continues from `state()` after `numSteps` updates.
   *
   * @throws GnnError CHECKPOINT_INVALID naming the array that is missing or has another size
   */
  restore(state: Iterable<NamedTensor>, numSteps: number): void {
    this.dispose();
    const byName = new Map(Array.from(state, (tensor) => [tensor.name, tensor.values]));
    for (const [i, { name }] of this.#variables.entries()) {
      for (const [j, slot] of this.#rule.slots.entries()) {
        const values = this.#slots[i]?.[j] as Float32Array;
        const saved = byName.get(`${name}.${slot}`);
        if (saved?.length !== values.length) {
          throw new GnnError(
            "CHECKPOINT_INVALID",
            `${name}.${slot} has ${saved?.length ?? "no"} values; the optimizer expects ${values.length}.`,
          );
        }
        values.set(saved);
      }
    }
    this.#numSteps = numSteps;
  }

  #checked({ name, variable: { size } }: NamedVariable, gradient: Float32Array): Float32Array {
    if (gradient.length === size) return gradient;
    throw new GnnError(
      "SHAPE_MISMATCH",
      `${this.#rule.name}: the gradient of ${name} has ${gradient.length} values; expected ${size}.`,
    );
  }
}

type Rest = Omit<Update<Float32Array>, "parameter">;

function updateNatively(rule: UpdateRule, variable: Variable, rest: Rest): void {
  rule.native({ ...rest, parameter: (backend() as NativeBackend).writableFloats(variable) });
}

function updateComposed(rule: UpdateRule, variable: Variable, { slots, gradient, lr, step }: Rest): void {
  tidy(() => {
    const result = rule.composed({
      parameter: reshape(variable, [variable.size]),
      slots: slots.map((values) => tensor1d(values)),
      gradient: tensor1d(gradient),
      lr,
      step,
    });
    for (const [i, values] of slots.entries()) values.set((result.slots[i] as Tensor).dataSync<"float32">());
    variable.assign(reshape(result.parameter, variable.shape));
  });
}
