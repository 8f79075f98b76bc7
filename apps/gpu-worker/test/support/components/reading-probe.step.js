import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineStep } from "@hopwise/gnn-core/spec";
import { z } from "zod";

/** Does what steps that read uploaded files may come to. */
export const readingProbeStep = defineStep({
  name: "reading-probe",
  version: 1,
  title: "Reading probe",
  summary: "Blocks its process, fills its memory, or says what limits it was given.",
  options: z.strictObject({ mode: z.enum(["tell", "block", "fillArrays", "fillHeap"]) }),
  inputs: [],
  output: "probed",
  ranks: "one",
  seconds: "previewSeconds",
  run: async ({ options: { mode }, outDir, limits }) => {
    if (mode === "block") for (;;); // as native code that never returns
    if (mode === "fillArrays") fill(() => new Uint8Array(2 ** 26).fill(1));
    if (mode === "fillHeap") fill((i) => Array.from({ length: 1000 }, (_, k) => `a text of its own ${i * 1000 + k}`));
    await writeFile(join(outDir, "nothing.json"), "{}");
    return { info: { limits }, blobs: [{ name: "nothing.json" }] };
  },
});

/** Far more than a test may ever use. */
function fill(make) {
  const held = [];
  while (held.length < 1e6) held.push(make(held.length));
}
