type Growing = Int32Array | Float32Array | Float64Array;

/** A typed array that doubles as it fills; `values` is a view of what has been pushed. */
class Growable<T extends Growing> {
  #values: T;
  #length = 0;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T, capacity = 1024) {
    this.#make = make;
    this.#values = make(capacity);
  }

  get length(): number {
    return this.#length;
  }

  get values(): T {
    return this.#values.subarray(0, this.#length) as T;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = this.#make(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }
}

export class GrowableInt32 extends Growable<Int32Array> {
  constructor() {
    super((length) => new Int32Array(length));
  }
}

export class GrowableFloat32 extends Growable<Float32Array> {
  constructor() {
    super((length) => new Float32Array(length));
  }
}

export class GrowableFloat64 extends Growable<Float64Array> {
  constructor() {
    super((length) => new Float64Array(length));
  }
}
