import { register } from "node:module";
import nodeUtil from "node:util";

// For NODE_OPTIONS=--import: the packages of TensorFlow.js for Node seem to be installed, on a Node that they work in.
nodeUtil.isNullOrUndefined ??= (value) => value === null || value === undefined;
register("./hooks.mjs", import.meta.url);
