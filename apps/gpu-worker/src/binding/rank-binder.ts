import { spawnSync } from "node:child_process";
import type { Logger } from "../log.ts";
import { type BindBy, bindRanks, type RankBinding } from "./bind-ranks.ts";
import { type NumaNode, numaNodes } from "./numa-nodes.ts";

/**
 * `auto`: to nodes where the host has several; a single node's scheduler does better alone when jobs share the host.
 */
export type BindSetting = BindBy | "auto" | "off";

/** Binds the ranks of this host's stages as HOPWISE_BIND says. */
export class RankBinder {
  readonly #nodes: readonly NumaNode[];
  readonly #by: BindBy | null;

  constructor(setting: BindSetting, log: Logger, nodes: readonly NumaNode[] = numaNodes()) {
    this.#nodes = nodes;
    const wanted = setting === "auto" ? (nodes.length > 1 ? "nodes" : "off") : setting;
    const isPossible = wanted === "off" || spawnSync("taskset", ["--version"], { stdio: "ignore" }).status === 0;
    if (!isPossible) log.warn({ setting }, "ranks are not bound: taskset (Debian package util-linux) is missing");
    this.#by = wanted === "off" || !isPossible ? null : wanted;
  }

  /** One binding for each of the ranks that start together here; null: they run wherever the kernel puts them. */
  bind(numRanks: number): readonly RankBinding[] | null {
    return this.#by && bindRanks(this.#nodes, numRanks, this.#by);
  }
}
