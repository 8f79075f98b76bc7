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
// One folder for temporary files, removed at the end.
const folderOfTheRun = new URL("test/support/folder-of-the-run.ts", import.meta.url).pathname;
// Beside it one PostgreSQL, where each file has a database of its own.
const globalSetup = [folderOfTheRun, new URL("apps/api/test/support/postgres-of-the-run.ts", import.meta.url).pathname];
const nativeFirst = new URL("test/support/native-backend-first.ts", import.meta.url).pathname;
const setupFiles = [new URL("test/support/note-process.mjs", import.meta.url).pathname, nativeFirst];

// What a page or a job is about to show: a busy machine needs more than the usual second, and fewer looks at it.
const expect = { poll: { timeout: 30_000, interval: 100 } };

// A job's processes wait for each other much of the time: further files use what one leaves idle. The same for
// integration and e2e, so that they can run together.
const maxWorkers = 3;

/** Tests whose names end in `.<name>.test.ts`, which start services, processes or browsers; each has `seconds`. */
function withServices({ name, seconds }: { name: string; seconds: number }) {
  return {
    resolve,
    test: {
      name,
      ...optimizeLate,
      isolate,
      setupFiles,
      globalSetup,
      include: [`{packages,apps,script,test}/**/*.${name}.test.ts`],
      exclude,
      testTimeout: seconds * 1000,
      hookTimeout: seconds * 1000,
      maxWorkers,
      sequence: { groupOrder: 2 },
      expect,
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: ["{packages,apps,script,test}/**/*.test.{ts,tsx}"],
          exclude: [...exclude, ...["integration", "e2e", "long"].map((kind) => `**/*.${kind}.test.ts`)],
          isolate,
          setupFiles: [nativeFirst],
          globalSetup: [folderOfTheRun],
          maxWorkers: "100%",
          sequence: { groupOrder: 1 },
          // For a test that hangs: one that computes on all cores waits for those of its neighbours.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect,
        },
      },
      withServices({ name: "integration", seconds: 120 }),
      withServices({ name: "e2e", seconds: 300 }),
      // What takes minutes and has a shorter twin in the others (decision 0077): `script/test long`.
      withServices({ name: "long", seconds: 600 }),
    ],
  },
});
