// node copy-packages.mjs DIR PACKAGE…: copies packages of node_modules, and what they depend on, into DIR: what Node
// loads of them, without sources, types and bundles for browsers.
import { cpSync, existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const modules = resolve(import.meta.dirname, "../../node_modules");
const [outDir, ...wanted] = process.argv.slice(2);
const unloaded =
  /(\.map|\.d\.[cm]?ts|\.min\.js|\.flow|\.md|\.mts|\.cts)$|\.es2017\.|\.fesm\.|\/(src|esm|umd)(\/|$)|_test\.js$/;

for (const name of wanted) {
  const from = join(modules, name);
  const { dependencies = {}, exports = {} } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  for (const dependency of Object.keys(dependencies)) {
    if (!wanted.includes(dependency) && existsSync(join(modules, dependency))) wanted.push(dependency);
  }
  const loadsModules = JSON.stringify(exports).includes('"./esm/');
  const filter = (path) => {
    const inside = path.slice(from.length);
    if (loadsModules && /^\/esm(\/index\.mjs)?$/.test(inside)) return true;
    return !unloaded.test(inside) && isEntry(name, inside.slice(1));
  };
  cpSync(from, join(outDir, name), { recursive: true, filter });
}

/** TensorFlow.js comes in bundles, one of which Node loads, beside all its modules. */
function isEntry(name, path) {
  if (!name.startsWith("@tensorflow/") || path === "" || path === "dist") return true;
  return path === "package.json" || /^dist\/tf-[^/]*\.node\.js$/.test(path) || basename(path) === "LICENSE";
}
