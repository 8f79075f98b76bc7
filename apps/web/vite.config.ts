import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { helpPages } from "./script/help-pages.ts";
import { usedMantineStyles } from "./script/mantine-styles.ts";
import { pageCode } from "./script/page-code.ts";
import { precompress } from "./script/precompress.ts";
import { reachableFrom } from "./script/reachable-modules.ts";
import { sentText } from "./script/sent-text.ts";
import { jobQuery } from "./src/services/documents/job.ts";

const api = "http://127.0.0.1:4680";

const jobPage = reachableFrom("/pages/JobPage.tsx");

export default defineConfig({
  plugins: [
    react(),
    usedMantineStyles(resolve(import.meta.dirname, "src")),
    helpPages(resolve(import.meta.dirname, "../..")),
    jobPage.plugin,
    pageCode([
      { path: "^/jobs/(?!new/?$)([^/]+)/?$", module: "/pages/JobPage.tsx", query: sentText(jobQuery, { id: "" }) },
    ]),
    precompress(),
  ],
  build: {
    outDir: "dist",
    // The API's content security policy allows no data: scripts or fonts; small assets stay files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // Each file costs its head and, six at a time, the way there and back. What every page needs is one file, and
        // what the head of a job's page shares with others is another.
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"], priority: 2 },
            { name: "head", test: jobPage.has, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    // The host is passed on as the browser has it: the API takes the session's cookie from its own pages only.
    proxy: { "/v1": { target: api }, "/graphql": { target: api, ws: true } },
  },
});
