/** Multiplies for a second or so; signals.integration.test.ts runs it under Node's sampling profiler. */
import { loadAddon } from "../../src/backends/native/addon.ts";

const [rows, inner, columns] = [4_096, 100, 128] as const;
const a = new Float32Array(rows * inner).fill(1);
const b = new Float32Array(inner * columns).fill(1);
const c = new Float32Array(rows * columns);
for (let i = 0; i < 200; i++) loadAddon().sgemm(false, false, rows, columns, inner, a, b, c);
process.stdout.write(String(c[0]));
