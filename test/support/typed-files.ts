import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** How the columns of `writeTypedFiles` are read */
export const typedMapping = {
  edges: { files: ["ratings.csv"], src: "user", dst: "item", type: "rating", reverseTypes: true },
  nodes: {
    files: ["things.csv"],
    id: "id",
    type: "kind",
    label: "label",
    split: "split",
    features: { columns: ["a", "b"] },
  },
};

/** Users and items of two types, joined by two relations: an item is of the class of the users that like it. */
export function writeTypedFiles(dir: string, numItems = 120): string[] {
  const users = Array.from({ length: numItems / 2 }, (_, i) => `u${i},user,,none,${i % 2},${1 - (i % 2)}`);
  const items = Array.from({ length: numItems }, (_, i) => {
    return `i${i},item,${i % 3 === 0 ? "good" : "bad"},${["train", "train", "val", "test"][i % 4]},0,${i % 5}`;
  });
  const ratings = Array.from({ length: numItems * 4 }, (_, e) => {
    const item = e % numItems;
    const group = item % 3 === 0 ? 1 : 0;
    const user = 2 * ((e * 7 + Math.floor(e / numItems) * 5) % (numItems / 4));
    return e % 2 === 0 ? `u${user + group},i${item},likes` : `u${user + 1 - group},i${item},hates`;
  });
  const write = (name: string, head: string, lines: readonly string[]) => {
    const path = join(dir, name);
    writeFileSync(path, `${[head, ...lines].join("\n")}\n`);
    return path;
  };
  return [
    write("ratings.csv", "user,item,rating", ratings),
    write("things.csv", "id,kind,label,split,a,b", [...users, ...items]),
  ];
}
