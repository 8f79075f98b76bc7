import { describe, expect, it } from "vitest";
import { readNpy } from "../../src/index.ts";
import type { GraphInfo } from "../../src/io/ingest/ingest-report.ts";
import { NodeTypeOf } from "../../src/io/ingest/node-type-of.ts";
import type { PreviewInfo } from "../../src/io/preview/preview-info.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { mapStep } from "../../src/steps/map.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const people = [
  "id:ID,age:int,:LABEL",
  "a,31,Person",
  "b,62,Person;Actor",
  "c,45,Actor; Person",
  "d,20,Person;Director",
  "e,50,Person;Actor;Director",
  "f,33,Robot",
  "g,41,",
].join("\n");
const knows = ":START_ID,:END_ID,:TYPE\na,b,KNOWS\nb,c,KNOWS\nc,d,KNOWS\nd,e,KNOWS\ne,f,KNOWS\nf,g,KNOWS\n";
const files = { "people.csv": `${people}\n`, "knows.csv": knows };

async function preview(): Promise<PreviewInfo> {
  const { manifest } = await runStep(mapStep, { files: await filesArtifact(files) }, mapStep.options.parse({}));
  return manifest.info as PreviewInfo;
}

async function graphOf(typeRule?: object) {
  const { proposed } = await preview();
  const spec = structuredClone(proposed) as { nodes: { typeRule?: object } };
  if (typeRule === undefined) delete spec.nodes.typeRule;
  else spec.nodes.typeRule = typeRule;
  const { manifest, dir } = await runStep(ingestStep, { files: await filesArtifact(files) }, spec);
  const info = manifest.info as GraphInfo;
  const codes = await readNpy(`${dir}/nodes/type.npy`);
  const types = Array.from(codes.values as Int32Array, (code) => info.nodeTypes[code] ?? null);
  return { info, types };
}

describe("nodes with several labels", () => {
  it("have the combination as their type where no rule says other, as ever", async () => {
    const { info, types } = await graphOf();
    expect(types).toEqual([
      "Person",
      "Person;Actor",
      "Actor; Person",
      "Person;Director",
      "Person;Actor;Director",
      "Robot",
      null,
    ]);
    expect(info.typeCombinations).toBeUndefined();
  });

  it("have their rarest label proposed as their type, and each combination counted", async () => {
    const { proposed, warnings } = await preview();
    expect(proposed).toMatchObject({
      nodes: {
        type: ":LABEL",
        label: null,
        typeRule: { separator: ";", map: {}, prefer: ["Robot", "Director", "Actor", "Person"] },
      },
    });
    expect(warnings.join("\n")).toContain(
      'people.csv: nodes have several labels in ":LABEL" (of the 6 rows looked at, Actor and Person: 2, Robot: 1,',
    );
    const { types } = await graphOf({ prefer: ["Robot", "Director", "Actor", "Person"] });
    expect(types).toEqual(["Person", "Actor", "Actor", "Director", "Director", "Robot", null]);
  });

  it("are mapped by combination in whatever order, then by preference, then by their first label", async () => {
    const map = { "Actor;Person": "Star", "Director;Person": "Person" };
    const { info, types } = await graphOf({ map, prefer: ["Actor"] });
    expect(types).toEqual(["Person", "Star", "Star", "Person", "Actor", "Robot", null]);
    expect(info.nodeTypes).toEqual(["Actor", "Person", "Robot", "Star"]);
    expect(info.typeCombinations).toEqual([
      { labels: ["Actor", "Person"], type: "Star", count: 2 },
      { labels: ["Actor", "Director", "Person"], type: "Actor", count: 1 },
      { labels: ["Director", "Person"], type: "Person", count: 1 },
    ]);
    expect(info.report.warnings).toContain(
      "4 nodes have several labels, of which one is the type (Actor and Person as Star: 2, Actor and Director and Person as Actor: 1, Director and Person as Person: 1).",
    );
    const first = await graphOf({});
    expect(first.types).toEqual(["Person", "Person", "Actor", "Person", "Person", "Robot", null]);
  });

  it("need the column that the rule is about", () => {
    const spec = {
      edges: { files: ["e.csv"], src: "a", dst: "b" },
      nodes: { files: ["n.csv"], id: "id", typeRule: {} },
    };
    const { error } = ingestStep.options.safeParse(spec);
    expect(error?.issues).toMatchObject([
      { path: ["nodes", "typeRule"], message: expect.stringContaining("type column") },
    ]);
  });
});

describe("a rule for types", () => {
  it("cuts at whatever separates, passes over empty labels and repeated ones, and maps single labels too", () => {
    const rule = new NodeTypeOf({ separator: "|", map: { cat: "animal" }, prefer: [] });
    expect(["cat", " dog |dog", "|", "a;b", "cat|dog"].map((cell) => rule.typeOf(cell))).toEqual([
      "animal",
      "dog",
      "",
      "a;b",
      "cat",
    ]);
    expect(rule.combinations).toEqual([{ labels: ["cat", "dog"], type: "cat", count: 1 }]);
  });
});
