// For `node --import`: openapi-typescript prints types by the compiler's API, which TypeScript 7 does not offer to
// programs.
import { register } from "node:module";

const typescript5 = new URL("typescript-5.mjs", import.meta.url).href;
const hook = `export const resolve = (specifier, context, next) =>
  next(specifier === "typescript" ? ${JSON.stringify(typescript5)} : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
