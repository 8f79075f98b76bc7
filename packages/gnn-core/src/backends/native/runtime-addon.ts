/** Memory, threads and instruction set of the native library (native/binding/runtime_binding.cc). */
export interface RuntimeAddon {
  /**
   * Every function of the addon with its parameters, `name(parameter: type, …)`, as its calls are checked. A test
   * compares them with these declarations.
   */
  readonly signatures: readonly string[];
  /** 64-byte-aligned memory, contents undefined, outside the JavaScript heap; freed when the buffer is collected. */
  allocate(bytes: number): ArrayBuffer;
  /** Gives an array's memory back at once, that of its whole buffer; every view of it has no elements from then on. */
  freeArray(array: NodeJS.TypedArray): void;
  /** Bytes of a core's second-level cache; 1 MiB where the system does not say. */
  secondLevelCache(): number;
  /** The instruction set that the kernels chose at load time. */
  isa(): "avx512" | "avx2" | "portable";
  /**
   * Threads that a kernel may use, the calling one included. `cpus[i]` pins worker i + 1; results do not depend on
   * either. Shared by the process: kernels called from other worker_threads meanwhile run on their caller alone.
   */
  setThreads(count: number, cpus?: Int32Array): void;
  threads(): number;
}
