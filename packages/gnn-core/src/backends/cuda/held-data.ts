import type { BackendValues, DataType } from "../tf.ts";
import type { CudaAddon } from "./addon.ts";
import type { FloatsHandle } from "./memory-addon.ts";

export interface DeviceData {
  readonly addon: CudaAddon;
  onReadBack(): void;
}

/**
 * The values of a tensor: on the host, on the device or, unchanged since they were copied, on both. Stock cpu kernels
 * read `values`, which waits for the device where the host has none.
 */
export class HeldData {
  readonly dtype: DataType;
  refCount = 1;
  readonly #device: DeviceData;
  #values: BackendValues | null;
  #handle: FloatsHandle | null;
  readonly #size: number;

  constructor(
    device: DeviceData,
    dtype: DataType,
    from: { readonly values: BackendValues } | { readonly handle: FloatsHandle; readonly size: number },
  ) {
    this.#device = device;
    this.dtype = dtype;
    this.#values = "values" in from ? from.values : null;
    this.#handle = "handle" in from ? from.handle : null;
    this.#size = "handle" in from ? from.size : from.values.length;
  }

  get values(): BackendValues {
    if (this.#values) return this.#values;
    this.#device.onReadBack();
    const values = new Float32Array(this.#size);
    this.#device.addon.download(this.#handle as FloatsHandle, values);
    // Not kept: kernels may write to the device's memory again.
    return values;
  }

  get knownScalar(): number | null {
    return this.#values?.length === 1 ? ((this.#values as Float32Array)[0] as number) : null;
  }

  /** Off the JavaScript thread where the device has the values. */
  async read(): Promise<BackendValues> {
    if (this.#values) return this.#values;
    const values = new Float32Array(this.#size);
    await this.#device.addon.downloadAsync(this.#handle as FloatsHandle, values);
    return values;
  }

  /** Uploaded when it is first asked for. */
  get handle(): FloatsHandle {
    this.#handle ??= this.#device.addon.uploadFloats(this.#values as Float32Array);
    return this.#handle;
  }

  /** The memory to write to: what the host has is old from then on. */
  writable(): FloatsHandle {
    const { handle } = this;
    this.#values = null;
    return handle;
  }

  /** Its own handle from now on, perhaps of a part of an array that holds other things, too. */
  moveTo(place: FloatsHandle): void {
    const { addon } = this.#device;
    if (this.#values) addon.uploadInto(this.#values as Float32Array, place);
    else addon.copy(this.#handle as FloatsHandle, place);
    this.giveBack();
    this.#handle = place;
    this.#values = null;
  }

  isIn(place: FloatsHandle): boolean {
    return this.#handle === place;
  }

  giveBack(): void {
    if (this.#handle) this.#device.addon.giveBack(this.#handle);
    this.#handle = null;
  }
}
