import { contractVersion, type DoctorReport, type WorkerAnnouncement } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { diagnose } from "../../src/doctor/diagnosis.ts";

const worker = (id: string, contract = contractVersion) =>
  ({
    id,
    contract,
    host: `host-${id}`,
    rankAddress: "10.0.0.1",
    slots: 4,
    isa: "avx2",
    devices: [{ kind: "cpu", name: "x" }],
  }) as WorkerAnnouncement;
const ok = { ok: true, roundTripMs: 0.2, mibPerSecond: 900 } as const;
const reportOn = (other: string): DoctorReport => ({ connections: { [other]: ok }, sharesStore: { [other]: true } });

test("one worker alone is well", () => {
  const report: DoctorReport = { connections: {}, sharesStore: {} };
  const { isHealthy, lines } = diagnose({ workers: [worker("a")], reports: new Map([["a", report]]) });
  expect(isHealthy).toBe(true);
  expect(lines.join("\n")).toContain("there is one worker: nothing to connect");
});

test("a pair is well only when both ways are", () => {
  const workers = [worker("a"), worker("b")];
  const blind: DoctorReport = { connections: { a: { ok: false, why: "refused" } }, sharesStore: { a: true } };
  expect(
    diagnose({
      workers,
      reports: new Map([
        ["a", reportOn("b")],
        ["b", reportOn("a")],
      ]),
    }).isHealthy,
  ).toBe(true);
  const { isHealthy, lines } = diagnose({
    workers,
    reports: new Map([
      ["a", reportOn("b")],
      ["b", blind],
    ]),
  });
  expect(isHealthy).toBe(false);
  expect(lines).toContain("  a → b: ok, 0.20 ms there and back, 900 MiB/s");
  expect(lines).toContain("  b → a: FAILED, refused");
});

test("a worker that gives no report, or speaks another contract, is named", () => {
  const workers = [worker("a"), worker("b", contractVersion - 1)];
  const { isHealthy, lines } = diagnose({ workers, reports: new Map([["a", reportOn("b")]]) });
  expect(isHealthy).toBe(false);
  expect(lines.join("\n")).toMatch(/b gave no report: look at the log there/);
  expect(lines.join("\n")).toMatch(/Bring b to this version/);
});
