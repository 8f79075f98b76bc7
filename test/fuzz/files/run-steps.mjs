// Runs steps that its parent names, one after another; what a step refuses is told by its code, anything else ends the
// process.
import { problemFrom } from "@hopwise/contracts";
import { loopback } from "@hopwise/gnn-core/ranks";
import { buildManifest, engineVersion, loadRegistry } from "@hopwise/gnn-core/spec";

const registry = await loadRegistry();
const rank = { rank: 0, worldSize: 1, localRank: 0, numHosts: 1, device: "cpu", threads: 1, collective: loopback() };

const none = { code: null, detail: "", place: null, trouble: null, info: null };

process.on("message", (call) => void answer(call));

async function answer({ step: name, options, ...files }) {
  const step = registry.get("step", name);
  const parsed = step.options.safeParse(options);
  if (!parsed.success) throw new Error(`The case's options are wrong: ${parsed.error.message}`);
  const signal = new AbortController().signal;
  try {
    const draft = await step.run({
      ...files,
      options: parsed.data,
      resume: null,
      rank,
      registry,
      onEvent() {},
      signal,
    });
    const context = {
      kind: step.output,
      step: name,
      stepVersion: step.version,
      engine: engineVersion,
      inputs: {},
      options,
    };
    await buildManifest(files.outDir, draft, context);
    process.send({ ...none, info: name === "map" ? draft.info : null });
  } catch (error) {
    const { code, detail, ...place } = problemFrom(error);
    const trouble = code === "INTERNAL" ? String(error?.stack ?? error) : null;
    process.send({ ...none, code, detail, place, trouble });
  }
}
