export * from "./spec/index.ts";
