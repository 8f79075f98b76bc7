/**
 * Run by vitest before each test file (vitest.config.ts): files share processes, and one that compared backends may
 * have left another than the native one, on which the next file would compute other last bits.
 */
const { _tfengine: engine } = globalThis as { _tfengine?: { readonly backendName?: string } };
if (engine?.backendName !== undefined && engine.backendName !== "native") {
  const { selectBackend } = await import("../../packages/gnn-core/src/backends/select-backend.ts");
  await selectBackend("native");
}
