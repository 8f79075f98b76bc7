/** Who may import whom; the table of docs/ARCHITECTURE.md as rules, each with its reason. */
const { layerRules } = require("./.dependency-cruiser-layers.cjs");

/** The folders of apps/api, types included, the lowest line first; docs/ARCHITECTURE.md says what each is for. */
const apiLayers = layerRules({
  name: "api-layers",
  root: "apps/api/src/",
  layers: [
    ["database", "errors", "holds", "input", "redis", "requests"], // what anything may stand on
    ["auth"],
    ["projects", "job-state"],
    ["leader", "store"],
    ["artifacts", "events", "notices", "workers"],
    ["datasets", "models"],
    ["imports", "jobs", "scheduler", "uploads"],
    ["serving", "sweeps", "write-backs"],
    ["rest"], // presentation, from here on
    ["plugins"],
    ["graphql", "routes"],
  ],
  open: "apps/api/src/(env|logger|services)\\.ts$",
  comment:
    "What a job is knows nothing of who runs it, and neither of how it is shown: services import no presentation, REST " +
    "and GraphQL stand beside each other.",
});

const graphqlLayers = layerRules({
  name: "graphql-layers",
  root: "apps/api/src/graphql/",
  layers: [["base"], ["types"], ["schema"], ["operations"], ["sockets"]],
  comment: "Types are built on the builder, the schema of the types, and operations and sockets answer by the schema.",
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "apps-are-strangers",
      comment:
        "Apps talk through Redis, HTTP and the artifact store; a shared import would tie their releases together.",
      severity: "error",
      from: { path: "apps/([^/]+)/" },
      to: { path: "^(apps/|@hopwise/(api|gpu-worker|web))", pathNot: "^apps/$1/" },
    },
    {
      name: "engine-stands-alone",
      comment: "A TypeScript user can take gnn-core without the service.",
      severity: "error",
      from: { path: "packages/gnn-core/" },
      to: { path: "^(apps/|packages/(?!gnn-core)|@hopwise/(?!gnn-core))" },
    },
    {
      name: "engine-knows-no-service",
      comment: "Transport, queues, databases and logging belong to the apps.",
      severity: "error",
      from: { path: "packages/gnn-core/src/" },
      to: { path: "node_modules/(fastify|bullmq|ioredis|pino|@prisma|graphql)/" },
    },
    {
      name: "worker-has-no-database",
      comment: "Workers report events; the API persists them (decision 0003).",
      severity: "error",
      from: { path: "apps/gpu-worker/" },
      to: { path: "node_modules/(@prisma|pg|@electric-sql)/|generated/prisma" },
    },
    {
      name: "api-is-free-of-native-code",
      comment: "A crash in native code must not take the API with it: it reads the spec and the estimate only.",
      severity: "error",
      from: { path: "apps/api/src/" },
      to: { path: "packages/gnn-core/", pathNot: "packages/gnn-core/(dist|src)/(spec|estimate)/" },
    },
    ...apiLayers,
    ...graphqlLayers,
    {
      name: "contracts-know-the-spec-only",
      comment: "Contracts are read by the browser build and the API.",
      severity: "error",
      from: { path: "packages/contracts/src/" },
      to: { path: "packages/(?!contracts)", pathNot: "packages/gnn-core/(dist|src)/spec/" },
    },
    {
      name: "client-knows-the-contract-only",
      comment: "The client is for every program that has the service's address; what it calls is in the contract.",
      severity: "error",
      from: { path: "packages/client/src/" },
      to: { path: "packages/(?!client|contracts)|^apps/" },
    },
    {
      name: "client-runs-in-browsers",
      comment: "What needs Node is a way in of its own: @hopwise/client/node.",
      severity: "error",
      from: { path: "packages/client/src/", pathNot: "packages/client/src/node/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "command-line-knows-the-client-only",
      comment: "Whatever the command line can do, every other program can do by the client.",
      severity: "error",
      from: { path: "packages/cli/src/" },
      to: { path: "packages/(?!cli|client)|^apps/" },
    },
    {
      name: "artifacts-stand-alone",
      comment: "The store moves bytes; it knows neither graphs nor jobs.",
      severity: "error",
      from: { path: "packages/artifacts/src/" },
      to: { path: "packages/(?!artifacts)|^apps/" },
    },
    {
      name: "tfjs-in-one-folder",
      comment: "The tensor library is frozen upstream: one folder to change when it must be replaced.",
      severity: "error",
      from: { path: "packages/gnn-core/src/", pathNot: "packages/gnn-core/src/backends/" },
      to: { path: "node_modules/@tensorflow/" },
    },
    {
      name: "ops-know-no-backend",
      comment:
        "An op asks whether the active backend has a kernel of a name and composes it of stock ops otherwise: another " +
        "backend then brings its kernels, and no op changes.",
      severity: "error",
      from: { path: "packages/gnn-core/src/(ops|nn|models|tasks)/" },
      to: { path: "packages/gnn-core/src/backends/native/" },
    },
    {
      name: "kernels-in-their-backend",
      comment: "Kernels are registered beside the backend that has them, one file for each op.",
      severity: "error",
      from: { path: "packages/gnn-core/src/", pathNot: "packages/gnn-core/src/backends/" },
      to: { path: "packages/gnn-core/src/backends/native/native-kernel" },
    },
    {
      name: "not-to-dist-or-test",
      comment: "Sources import sources.",
      severity: "error",
      from: { path: "(packages|apps)/[^/]+/src/" },
      to: { path: "/test/", pathNot: "node_modules" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules|^(packages|apps)/[^/]+/dist/" },
    // The cruiser's swc reads no JSX: apps/web/test/imports.test.ts looks at the .tsx files.
    exclude: { path: "\\.d\\.ts$|generated/|\\.tsx$" },
    // TypeScript 7 has no compiler API for the cruiser to use; swc reads the same sources.
    parser: "swc",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs"],
    },
  },
};
