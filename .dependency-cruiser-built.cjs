const { options } = require("./.dependency-cruiser.cjs");

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
  ["structural", "control-variate"],
  ["train"],
  ["export", "estimate"],
  ["generate", "steps", "worker"],
];
const engine = "packages/gnn-core/(dist|output)/";
const oneOf = (folders) => `${engine}(${folders.join("|")})/`;

/** For each line: nothing from a line below it, nor from its neighbours on the line, nor from the entry points. */
const layerRules = layers.flatMap((line, i) =>
  line.map((folder) => ({
    name: `engine-layers-${folder}`,
    comment:
      "The engine's folders are layers: a graph knows nothing of sampling, and sampling nothing of training. Counted in " +
      "the build output: a type may refer to one of a higher layer, as an interface does to what its callers pass.",
    severity: "error",
    from: { path: oneOf([folder]) },
    to: {
      path: `${engine}([^/]+\\.js$|(${[...line, ...layers.slice(i + 1).flat()].filter((other) => other !== folder).join("|")})/)`,
    },
  })),
);

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
    ...layerRules,
    {
      name: "engine-folders-have-a-layer",
      comment: "A new folder of the engine says where in the order it stands (.dependency-cruiser-built.cjs).",
      severity: "error",
      from: { path: `${engine}(?!(${layers.flat().join("|")})/)[^/]+/` },
      to: {},
    },
  ],
  options: { ...options, doNotFollow: { path: "node_modules" } },
};
