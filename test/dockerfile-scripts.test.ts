import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");

/** The files of `script` that a Dockerfile copies from the checkout, stage by stage. */
function copiedScripts(dockerfile: string): readonly (readonly string[])[] {
  return read(dockerfile)
    .split(/^FROM /m)
    .map((stage) => [...stage.matchAll(/^COPY ((?:script\/\S+ )+)script\/\S*$/gm)])
    .map((copies) => copies.flatMap(([, files]) => files?.trim().split(" ") ?? []));
}

/** What a shell script reads in with `.`, as paths in the checkout. */
const sourced = (script: string) => [...read(script).matchAll(/^\s*\. (script\/\S+)$/gm)].map(([, path]) => path);

test.each(["apps/api/Dockerfile", "apps/gpu-worker/Dockerfile"])(
  "%s copies what its scripts read in, in the same stage",
  (dockerfile) => {
    const stages = copiedScripts(dockerfile);
    expect(stages.flat()).not.toEqual([]);
    for (const copied of stages) expect(copied).toEqual(expect.arrayContaining(copied.flatMap(sourced)));
  },
);
