import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const include = fileURLToPath(new URL("../../native/include/gnn", import.meta.url));
const headers = readdirSync(include, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".h"));
const most = 6;

/** Functions with more parameters than a reader can tell apart by position, as `name: how many`. */
function crowdedFunctions(text: string): string[] {
  const code = text.replace(/\/\/.*$/gm, "");
  return [...code.matchAll(/\b(\w+)\(((?:[^(){};]|\([^(){};]*\))*)\)\s*(?:const\s*)?[;{:]/g)].flatMap(
    ([, name, list]) => {
      const count = list!.split(",").length;
      return count > most && /^\s*(const|[a-z_]\w*_t|int|bool|float|double|std::|uint)/.test(list!)
        ? [`${name}: ${count}`]
        : [];
    },
  );
}

test("native kernels take what would be more than six parameters as a struct with named fields", () => {
  const found = headers.flatMap((name) => crowdedFunctions(readFileSync(`${include}/${name}`, "utf8")));
  expect(found).toEqual([]);
});

test("a function with seven parameters is found", () => {
  const planted =
    "void gather(int64_t rows, int64_t dim, const float* x,\n  const int32_t* ids, // of rows\n bool all, int32_t next, float* out);";
  expect(crowdedFunctions(planted)).toEqual(["gather: 7"]);
});
