import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { launchBrowser } from "../../../apps/web/test/support/browser.ts";
import { clientSuite } from "./conformance/client.suite.ts";
import type { Do } from "./conformance/exchanges.ts";

const entry = fileURLToPath(new URL("conformance/page.ts", import.meta.url));

clientSuite("Chromium", async ({ url, key }) => {
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "iife", write: false });
  const browser = await launchBrowser();
  // The service's pages allow no scripts but their own.
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await page.goto(`${url}/healthz`);
  await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
  const perform: Do = (exchange, input) =>
    page.evaluate(([key, name, given]) => Reflect.get(globalThis, "exchange")(key, name, given), [
      key,
      exchange,
      input,
    ] as const);
  return { do: perform, stop: () => browser.close() };
});
