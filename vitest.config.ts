import { defineConfig } from "vitest/config";

const exclude = ["**/node_modules/**", "{packages,apps}/*/dist/**"];

// Node loads graphql's CommonJS build for everyone; Vite alone would give our own files a second copy of it.
const resolve = { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] };

// The tests' own process, and those that they start: test/support/optimize-late.mjs says why.
const optimizeLate = {
  execArgv: ["--liftoff-only", "--interrupt-budget=1000000"],
  env: { NODE_OPTIONS: `--import=${new URL("test/support/optimize-late.mjs", import.meta.url).href}` },
};

// Loading the engine and the API anew for each file takes two CPU seconds: files share a process, so none may leave a
// mark on it.
const isolate = false;
// One folder for temporary files, removed at the end, and one PostgreSQL, where each file has a database of its own.
const globalSetup = ["test/support/folder-of-the-run.ts", "apps/api/test/support/postgres-of-the-run.ts"].map(
  (path) => new URL(path, import.meta.url).pathname,
);
const setupFiles = [new URL("test/support/note-process.mjs", import.meta.url).pathname];

// What a page or a job is about to show: a busy machine needs more than the usual second, and fewer looks at it.
const expect = { poll: { timeout: 30_000, interval: 100 } };

// A job's processes wait for each other much of the time: further files use what one leaves idle. The same for
// integration and e2e, so that they can run together.
const maxWorkers = 3;

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: ["{packages,apps,script,test}/**/*.test.{ts,tsx}"],
          exclude: [...exclude, "**/*.integration.test.ts", "**/*.e2e.test.ts"],
          isolate,
          maxWorkers: "100%",
          sequence: { groupOrder: 1 },
          // For a test that hangs: one that computes on all cores waits for those of its neighbours.
          testTimeout: 120_000,
          expect,
        },
      },
      {
        resolve,
        test: {
          name: "integration",
          ...optimizeLate,
          isolate,
          setupFiles,
          globalSetup,
          include: ["{packages,apps,script,test}/**/*.integration.test.ts"],
          exclude,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers,
          sequence: { groupOrder: 2 },
          expect,
        },
      },
      {
        resolve,
        test: {
          name: "e2e",
          ...optimizeLate,
          isolate,
          setupFiles,
          globalSetup,
          include: ["{packages,apps,script,test}/**/*.e2e.test.ts"],
          exclude,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers,
          sequence: { groupOrder: 2 },
          expect,
        },
      },
    ],
  },
});
