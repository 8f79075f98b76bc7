import { contractVersion, type WorkerDevice } from "@hopwise/contracts";
import type { Examination } from "./ask-workers.ts";

export interface Diagnosis {
  /** Lines for people */
  readonly lines: readonly string[];
  /** Whether jobs can share all these workers */
  readonly isHealthy: boolean;
}

/** What the workers found, and what to do about it. */
export function diagnose({ workers, reports }: Examination): Diagnosis {
  if (workers.length === 0) {
    return { lines: ["No worker is announced in this Redis: is one running, with this REDIS_URL?"], isHealthy: false };
  }
  const known = workers.map(
    ({ id, host, rankAddress, slots, isa, devices }) =>
      `  ${id}: host ${host}, ranks at ${rankAddress ?? "no address"}, ${slots} slots, ${isa}, ${devicesText(devices)}`,
  );
  const pairs = workers.flatMap((from) => workers.filter((to) => to !== from).map((to) => [from.id, to.id] as const));
  const verdicts = pairs.map(([from, to]) => {
    const found = reports.get(from)?.connections[to];
    if (!found) return { isOk: false, line: `  ${from} → ${to}: not tested, ${from} gave no report` };
    if (!found.ok) return { isOk: false, line: `  ${from} → ${to}: FAILED, ${found.why}` };
    const speed = `${found.roundTripMs.toFixed(2)} ms there and back, ${Math.round(found.mibPerSecond)} MiB/s`;
    return { isOk: true, line: `  ${from} → ${to}: ok, ${speed}` };
  });
  const advice = [...adviceOn({ workers, reports }), ...(verdicts.every(({ isOk }) => isOk) ? [] : [connectionAdvice])];
  const connections = pairs.length === 0 ? ["  there is one worker: nothing to connect"] : verdicts.map((v) => v.line);
  const result =
    advice.length === 0 ? ["All is well."] : ["What to do:", ...advice.map((sentence) => `  - ${sentence}`)];
  return { lines: ["Workers:", ...known, "Connections:", ...connections, ...result], isHealthy: advice.length === 0 };
}

function devicesText(devices: readonly WorkerDevice[]): string {
  const all = devices.map(({ kind, name }) => `${kind} (${name})`);
  return all.length === 0 ? "no device" : `computes on ${all.join(", ")}`;
}

const connectionAdvice =
  "Give each worker a HOPWISE_RANK_ADDRESS that the others reach, and let them reach its HOPWISE_RANK_PORTS (docs/guides/several-hosts.md).";

function adviceOn({ workers, reports }: Examination): string[] {
  const strangers = workers.filter(({ contract }) => contract !== contractVersion).map(({ id }) => id);
  const apart = [...reports].flatMap(([from, { sharesStore }]) =>
    Object.entries(sharesStore).flatMap(([to, shares]) => (shares ? [] : [`${from} does not see what ${to} stores`])),
  );
  const silent = workers.filter(({ id }) => !reports.has(id)).map(({ id }) => id);
  return [
    ...(silent.length > 0 ? [`${silent.join(", ")} gave no report: look at the log there, or start it again.`] : []),
    ...(strangers.length > 0 ? [`Bring ${strangers.join(", ")} to this version: it speaks another contract.`] : []),
    ...(apart.length > 0
      ? [
          `ARTIFACTS_URL must lead to the same files on every host: ${apart.join("; ")}. With http(s):// it is the API's address, and the API must run.`,
        ]
      : []),
  ];
}
