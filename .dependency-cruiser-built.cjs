const { options } = require("./.dependency-cruiser.cjs");
const { layerRules } = require("./.dependency-cruiser-layers.cjs");

/** The folders of packages/gnn-core, the lowest layer first: a folder imports from the lines before its own. */
const layers = [
  ["errors", "host", "random"], // machine and errors
  ["backends"], // TensorFlow.js and the native addon
  ["components"], // what a model, a sampler, a task … declares, and where it is found by name
  ["graph"],
  ["io"], // files: readers, ingest, arrays
  ["dist"], // what ranks do together
  ["features"],
  ["spec"], // options of a job, what manifests say
  ["partition"],
  ["sampling"],
  ["cluster", "ops"],
  ["nn", "optim"],
  ["models", "dist-store"],
  ["tasks", "infer"],
  ["structural", "explain", "control-variate", "links", "contrast", "walks", "whole-graphs"],
  ["edges"],
  ["train"],
  ["export", "estimate"],
  ["generate", "serving", "steps", "worker"],
];
const engineLayers = layerRules({
  name: "engine-layers",
  root: "packages/gnn-core/(dist|output)/",
  layers,
  comment:
    "The engine's folders are layers: a graph knows nothing of sampling, and sampling nothing of training. Counted in " +
    "the build output: a type may refer to one of a higher layer, as an interface does to what its callers pass.",
});

/**
 * Rules over the build output, where only what runs is left: types may refer to each other, and there they are erased.
 *
 * @type {import("dependency-cruiser").IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "A cycle means that two files are one idea, or that one of them knows too much.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...engineLayers,
    {
      name: "client-takes-types-only",
      comment: "The contract's schemas weigh more than the page that the client is loaded with; types cost it nothing.",
      severity: "error",
      from: { path: "packages/client/(dist|output)/" },
      to: { path: "packages/contracts/|^@hopwise/contracts|node_modules/zod/" },
    },
  ],
  options: { ...options, doNotFollow: { path: "node_modules" } },
};
