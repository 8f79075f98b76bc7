import { fstatSync, openSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { textsIn } from "./element-texts.ts";
import { contentsOf } from "./hdf5-contents.ts";
import { type Hdf5Library, loadLibrary, openedFile } from "./hdf5-library.ts";
import type { FromHdf5Reader, ToHdf5Reader } from "./hdf5-messages.ts";

// The program of a process that reads one HDF5 file for its parent, and ends with it. The C library runs in
// WebAssembly, which sees this file alone: a hostile one may make it run for ever or want memory, and no more.

let library: Hdf5Library | null = null;
let file = 0n;
/** Whether the library asked for more memory than it may have: what it then says of the data is no news. */
let lacksMemory = false;

process.on("disconnect", () => process.exit());
process.on("message", (asked: ToHdf5Reader) => {
  void answer(asked)
    .catch((error: unknown): FromHdf5Reader => {
      const words = error instanceof Error ? error.message : String(error);
      return { answer: "failed", code: null, words: lacksMemory ? "out of memory" : words };
    })
    .then((said) => process.send?.(said));
});
endWithParent();

async function answer(asked: ToHdf5Reader): Promise<FromHdf5Reader> {
  if (asked.ask === "slice") return { answer: "bytes", ...sliceOf(asked) };
  boundMemory(asked.memoryBytes);
  library = await loadLibrary();
  const handle = openSync(asked.path, "r");
  file = openedFile(library, handle, fstatSync(handle).size);
  return { answer: "opened", ...contentsOf(library, file) };
}

function sliceOf({ array, slice, bytes, texts }: Extract<ToHdf5Reader, { ask: "slice" }>) {
  const module = library!;
  const at = module._malloc(bytes);
  if (at === 0) throw new Error("out of memory");
  try {
    const isScalar = slice.count.length === 0;
    const [count, first, strides] = [slice.count, slice.first, slice.count.map(() => 1)].map((numbers) =>
      isScalar ? null : numbers.map(BigInt),
    );
    const status = module.get_dataset_data(file, array, count!, first!, strides!, BigInt(at));
    // What lay there before would pass for what was read.
    if (status < 0) throw new Error(`the data of ${array} cannot be read`);
    const found = module.HEAPU8.slice(at, at + bytes);
    if (texts.offsets.length === 0) return { bytes: found, texts: [] };
    try {
      return { bytes: found, texts: textsIn(found, texts, module.HEAPU8) };
    } finally {
      module.reclaim_vlen_memory_count(file, array, "", BigInt(at), count!);
    }
  } finally {
    module._free(at);
  }
}

interface Growing {
  readonly buffer: ArrayBuffer;
}

/** The memory of WebAssembly grows by this alone; h5wasm's types hide that there is such a thing. */
function boundMemory(most: number): void {
  const { Memory } = Reflect.get(globalThis, "WebAssembly") as {
    readonly Memory: { readonly prototype: Growing & { grow: (this: Growing, pages: number) => number } };
  };
  const { grow } = Memory.prototype;
  Memory.prototype.grow = function bounded(this: Growing, pages: number) {
    lacksMemory = this.buffer.byteLength + pages * 65_536 > most;
    if (lacksMemory) throw new RangeError("out of memory");
    return grow.call(this, pages);
  };
}

/** No event arrives while the library runs, which a damaged file may make endless. */
function endWithParent(): void {
  const watch = `const parent = process.ppid;
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 1000);`;
  new Worker(watch, { eval: true }).unref();
}
