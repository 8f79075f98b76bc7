import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { loadRegistry } from "../../src/spec/index.ts";

const root = resolve(import.meta.dirname, "../../../..");
const tasks = (await loadRegistry()).list("task").map(({ name }) => name);

/** Source files of every app and package; what is written by scripts stands under `generated`. */
const sources = ["apps", "packages"].flatMap((kind) =>
  readdirSync(join(root, kind))
    .map((name) => join(root, kind, name, "src"))
    // A package of another language has no such folder.
    .filter((folder) => existsSync(folder))
    .flatMap(filesBelow),
);

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name));
  return files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.includes("/generated/"));
}

test.each(tasks)(
  "%s is named by its own file alone, and by presets: all others learn of it from the registry or the API",
  (task) => {
    expect(sources.length).toBeGreaterThan(500);
    // A name that is a word of English stands in other places, too: what counts is a name in quotes or of a field.
    const isWord = task === task.toLowerCase();
    const word = new RegExp(isWord ? `(["'\`])${task}\\1|\\b${task}:` : `\\b${task}\\b`);
    const others = sources.filter((path) => !path.includes("/spec/presets/"));
    const naming = others.filter((path) => word.test(readFileSync(path, "utf8"))).map((path) => basename(path));
    const own = `${task.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.task.ts`;
    // A model that is made for the task may be called as it is.
    expect(naming.filter((path) => path !== own.replace(".task.ts", ".model.ts"))).toEqual([own]);
  },
);
