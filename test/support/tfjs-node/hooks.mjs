const packages = ["@tensorflow/tfjs-node", "@tensorflow/tfjs-node-gpu"];

/** Has programs find the stand-in where they look for one of the packages. */
export async function resolve(specifier, context, next) {
  if (!packages.includes(specifier)) return next(specifier, context);
  return { url: new URL("./stand-in.mjs", import.meta.url).href, shortCircuit: true };
}
