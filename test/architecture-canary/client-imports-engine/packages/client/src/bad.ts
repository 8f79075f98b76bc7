import { loadRegistry } from "@hopwise/gnn-core/spec";

export const components = loadRegistry;
