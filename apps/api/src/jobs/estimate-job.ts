import type { Viewer } from "../auth/viewer.ts";
import type { Services } from "../services.ts";
export interface EstimateShape {
  readonly fits: boolean;
  readonly ranks: number;
  readonly memoryBytesPerRank: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly seconds: number | null;
  readonly notes: readonly string[];
}
export async function estimateJob(services: Services, viewer: Viewer, spec: unknown): Promise<EstimateShape> {
  throw new Error(`${services} ${viewer} ${spec}`);
}
