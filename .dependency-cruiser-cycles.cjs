const { options } = require("./.dependency-cruiser.cjs");

/**
 * Cycles, looked for in the build output: types may refer to each other, and there they are erased.
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
  ],
  options: { ...options, doNotFollow: { path: "node_modules" } },
};
