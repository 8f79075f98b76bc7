import { defineConfig } from "vitest/config";

const exclude = ["**/node_modules/**", "{packages,apps}/*/dist/**"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{packages,apps,script,test}/**/*.test.{ts,tsx}"],
          exclude: [...exclude, "**/*.integration.test.ts", "**/*.e2e.test.ts"],
        },
      },
      {
        test: {
          name: "integration",
          include: ["{packages,apps,script,test}/**/*.integration.test.ts"],
          exclude,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["{packages,apps,script,test}/**/*.e2e.test.ts"],
          exclude,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
