import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { helpPages } from "./script/help-pages.ts";
import { usedMantineStyles } from "./script/mantine-styles.ts";
import { precompress } from "./script/precompress.ts";

const api = "http://127.0.0.1:4680";

export default defineConfig({
  plugins: [
    react(),
    usedMantineStyles(resolve(import.meta.dirname, "src")),
    helpPages(resolve(import.meta.dirname, "../..")),
    precompress(),
  ],
  build: {
    outDir: "dist",
    // The API's content security policy allows no data: scripts or fonts; small assets stay files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: {
    // The host is passed on as the browser has it: the API takes the session's cookie from its own pages only.
    proxy: { "/v1": { target: api }, "/graphql": { target: api, ws: true } },
  },
});
