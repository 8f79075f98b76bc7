import type { Block } from "../../graph/block.ts";
import type { CudaAddon } from "./addon.ts";
import { DeviceBlock } from "./device-block.ts";
import { madeOnDevice } from "./made-ints.ts";
import type { BlockHandle, DeviceHandle, FloatsHandle, IntsHandle } from "./memory-addon.ts";

/**
 * What the host has uploaded for kernels to read: blocks, row ids, labels, constant weights. Within a step each array
 * goes to the device once, however many kernels read it; at the step's end all of it is given back. Outside of steps
 * nothing says when an array may change: each kernel's call uploads its own and gives it back.
 */
export class StepUploads {
  readonly #addon: CudaAddon;
  #held: Map<object, DeviceHandle> | null = null;
  /** Handles that end with the call */
  readonly #loose: DeviceHandle[] = [];
  /** What the call has made for its outputs so far */
  readonly #outputs: DeviceHandle[] = [];

  constructor(addon: CudaAddon) {
    this.#addon = addon;
  }

  begin(): void {
    this.end();
    this.#held = new Map();
  }

  /** Kernels that were enqueued still have what they read: memory goes back in stream order. */
  end(): void {
    for (const handle of this.#held?.values() ?? []) this.#addon.giveBack(handle);
    this.#held = null;
  }

  /**
   * Enqueues a kernel. What was uploaded for it alone is given back behind it; when it fails, so is what its outputs
   * would have been: nobody has them.
   */
  call<Result>(kernel: () => Result): Result {
    this.#outputs.length = 0;
    try {
      return kernel();
    } catch (error) {
      for (const handle of this.#outputs) this.#addon.giveBack(handle);
      throw error;
    } finally {
      this.#outputs.length = 0;
      for (const handle of this.#loose.splice(0)) this.#addon.giveBack(handle);
    }
  }

  /** A handle of an output, which lives on when the call succeeds. */
  forOutput<Handle extends DeviceHandle>(handle: Handle): Handle {
    this.#outputs.push(handle);
    return handle;
  }

  /** A handle that is given back when the call ends. */
  forCall<Handle extends DeviceHandle>(handle: Handle): Handle {
    this.#loose.push(handle);
    return handle;
  }

  floats(values: Float32Array): FloatsHandle {
    return this.once(values, () => this.#addon.uploadFloats(values));
  }

  /** Integers that the device has, as it made them itself, stay there. */
  ints(values: Int32Array): IntsHandle {
    const made = madeOnDevice(values);
    if (made) return made;
    return this.once(values, () => this.#addon.uploadInts(values));
  }

  block(block: Block): BlockHandle {
    if (block instanceof DeviceBlock) return block.handle;
    const { numSrc, numDst, indptr, indices } = block;
    return this.once(block, () => this.#addon.makeBlock(numSrc, numDst, indptr, indices));
  }

  /** What belongs to an object of the host, made once in a step. */
  once<Handle extends DeviceHandle>(of: object, upload: () => Handle): Handle {
    const found = this.#held?.get(of) as Handle | undefined;
    if (found) return found;
    const made = upload();
    if (!this.#held) return this.forCall(made);
    this.#held.set(of, made);
    return made;
  }
}
