import { HopwiseClient } from "../../src/index.ts";
import { exchanges } from "./exchanges.ts";

/** Bundled into a page: what the suite calls there. */
Object.assign(globalThis, {
  exchange: (key: string, name: keyof typeof exchanges, input: never) =>
    exchanges[name](new HopwiseClient({ key }), input),
});
