import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { GnnError } from "../../errors/gnn-error.ts";
import type { ArrayTypes, HostArrays } from "../memory.ts";
import type { AppnpAddon } from "./appnp-addon.ts";
import type { ClusterAddon } from "./cluster-addon.ts";
import type { DenseAddon } from "./dense-addon.ts";
import type { DistAddon } from "./dist-addon.ts";
import type { ExportAddon } from "./export-addon.ts";
import type { GenerateAddon } from "./generate-addon.ts";
import type { GinAddon } from "./gin-addon.ts";
import type { GraphAddon } from "./graph-addon.ts";
import type { HeadAddon } from "./head-addon.ts";
import type { HistoryAddon } from "./history-addon.ts";
import type { IngestAddon } from "./ingest-addon.ts";
import type { LossAddon } from "./loss-addon.ts";
import type { MessageAddon } from "./message-addon.ts";
import type { NormAddon } from "./norm-addon.ts";
import type { OptimAddon } from "./optim-addon.ts";
import type { RankingAddon } from "./ranking-addon.ts";
import type { RelationAddon } from "./relation-addon.ts";
import type { RelationListsAddon } from "./relation-lists-addon.ts";
import type { RowsAddon } from "./rows-addon.ts";
import type { RuntimeAddon } from "./runtime-addon.ts";
import type { ServingAddon } from "./serving-addon.ts";
import type { SparseAddon } from "./sparse-addon.ts";
import type { TypedAddon } from "./typed-addon.ts";
import type { WalksAddon } from "./walks-addon.ts";

/** The kernels that an addon has wherever its arrays lie. */
export type KernelAddon<M extends ArrayTypes> = DenseAddon<M> &
  LossAddon<M> &
  SparseAddon<M> &
  MessageAddon<M> &
  NormAddon<M> &
  GinAddon<M> &
  AppnpAddon<M> &
  HeadAddon<M> &
  RelationAddon<M>;

/** Everything the native library offers, by area. */
export type NativeAddon = RuntimeAddon &
  KernelAddon<HostArrays> &
  RelationListsAddon &
  TypedAddon &
  OptimAddon &
  GraphAddon &
  ClusterAddon &
  WalksAddon &
  GenerateAddon &
  HistoryAddon &
  IngestAddon &
  ExportAddon &
  DistAddon &
  RowsAddon &
  ServingAddon &
  RankingAddon;

// src/backends/native and dist/backends/native lie equally deep, so one relative path serves both.
const addonPath = fileURLToPath(new URL("../../../build/hopwise.node", import.meta.url));

let addon: NativeAddon | undefined;

/**
 * The native library, loaded once per thread.
 *
 * @throws GnnError NATIVE_NOT_BUILT when it is not there or cannot be loaded
 */
export function loadAddon(): NativeAddon {
  addon ??= requireAddon();
  return addon;
}

function requireAddon(): NativeAddon {
  try {
    return createRequire(import.meta.url)(addonPath) as NativeAddon;
  } catch (cause) {
    throw new GnnError(
      "NATIVE_NOT_BUILT",
      `The native library ${addonPath} cannot be loaded; run script/build-native.`,
      {
        cause,
      },
    );
  }
}
