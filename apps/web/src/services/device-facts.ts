import { formatBytes, formatPercent } from "./format.ts";

export interface DeviceFigures {
  readonly uuid: string | null;
  /** 0: not known */
  readonly memoryBytes: number;
  readonly computeCapability: string | null;
  readonly driverVersion: string | null;
  readonly migParent: string | null;
  readonly use: {
    readonly memoryBytes: number | null;
    readonly utilization: number | null;
    readonly powerWatts: number | null;
  } | null;
}

/** What is known of a device that ranks have for themselves, in a few words each. A CPU's figures are its worker's. */
export function deviceFacts(device: DeviceFigures): readonly string[] {
  if (device.uuid === null) return [];
  const { memoryBytes, computeCapability, driverVersion, migParent, use } = device;
  const memory = memoryBytes === 0 ? null : formatBytes(memoryBytes);
  const used = use?.memoryBytes == null ? null : formatBytes(use.memoryBytes);
  const facts = [
    memory && (used === null ? memory : `${used} of ${memory}`),
    use?.utilization == null ? null : `${formatPercent(use.utilization, 0)} busy`,
    use?.powerWatts == null ? null : `${Math.round(use.powerWatts)} W`,
    computeCapability && `compute capability ${computeCapability}`,
    driverVersion && `driver ${driverVersion}`,
    migParent && `slice of ${migParent}`,
  ];
  return facts.filter((fact) => fact !== null);
}
