import { describe, expect, it } from "vitest";
import { AppliedWorld } from "../support/applied-world.ts";
import type { JobState } from "../support/client.ts";

describe("a model, where the next version has other kinds, lists and relations than it has learnt", () => {
  const world = AppliedWorld.begin({ serving: true });

  it("kinds and lists that the next version lacks, or has and the model has not learnt", async () => {
    const table = (header: string, rows: readonly string[]) => `${[header, ...rows].join("\n")}\n`;
    /** Papers and authors that are joined to none of another letter */
    const cluster = (letter: string, paperKinds: readonly string[], numWords: number) => ({
      papers: Array.from({ length: 24 }, (_, i) => {
        const words = [i % numWords, (i * 5 + 1) % numWords].join(" ");
        return `${letter}p${i},${i % 2 ? "odd" : "even"},${i / 10},${paperKinds[i % paperKinds.length]},${words}`;
      }),
      authors: Array.from({ length: 8 }, (_, i) => `${letter}a${i},${paperKinds[(i * i) % paperKinds.length]}`),
      writes: Array.from({ length: 40 }, (_, i) => `${letter}a${i % 8},${letter}p${(i * 7) % 24}`),
    });
    const tablesOf = (...clusters: readonly ReturnType<typeof cluster>[]) => ({
      "papers.csv": table(
        "id,label,x,kind,words",
        clusters.flatMap(({ papers }) => papers),
      ),
      "authors.csv": table(
        "id,kind",
        clusters.flatMap(({ authors }) => authors),
      ),
      "writes.csv": table(
        "author,paper",
        clusters.flatMap(({ writes }) => writes),
      ),
    });
    const spec = {
      nodeTypes: {
        paper: {
          files: ["papers.csv"],
          id: "id",
          label: "label",
          features: { columns: ["x"], oneHot: ["kind"], multiHot: "words" },
        },
        author: { files: ["authors.csv"], id: "id", features: { columns: [], oneHot: ["kind"] } },
      },
      relations: [
        { source: "author", name: "writes", target: "paper", files: ["writes.csv"], src: "author", dst: "paper" },
      ],
    };
    const stays = cluster("s", ["b", "d"], 3);
    const dataset = await world.versionOf(tablesOf(stays, cluster("g", ["a", "c", "d"], 9)), spec);
    await world.succeeded({
      dataset,
      task: { target: "label" },
      split: { type: "random" },
      features: { transforms: ["standardize"] },
      model: { type: "rgcn", options: { hiddenFeats: 8, numLayers: 2 } },
      sampling: { type: "full" },
      train: { epochs: 5 },
      outputs: { model: "papers" },
    });
    await world.versionOf(tablesOf(stays, cluster("n", ["b", "e"], 12)), spec, dataset);

    const scoresOf = async (job: JobState) => {
      const rows = (await world.predictionsOf(job)).filter(({ id }) => String(id).includes("sp"));
      return new Map(rows.map(({ id, p_odd: odd }) => [String(id), Number(odd)]));
    };
    const before = await scoresOf(await world.succeeded({ kind: "infer", model: "papers", dataset: `${dataset}@1` }));
    expect(before.size).toBe(24);
    for (const graph of ["shared", "partitioned"]) {
      const job = await world.succeeded({ kind: "infer", model: "papers", dataset, resources: { ranks: 2, graph } });
      const now = await scoresOf(job);
      for (const [id, score] of before) expect(now.get(id), `${id}, ${graph}`).toBeCloseTo(score, 5);
      const { lines } = await world.client.api.call("GET /v1/jobs/:id/logs", { params: { id: job.id } });
      expect(lines.map(({ message }) => message).join("\n")).toContain(
        'reads zeros in their place: "author.kind" "e"; "paper.kind" "e"; "paper.words" from index 9 on',
      );
    }

    // A node given in a request is read in the model's columns too: as it is once it is stored.
    const job = await world.succeeded({ kind: "infer", model: "papers", dataset });
    const features = { x: 0.7, kind: "b", words: [1, 4] };
    const fresh = { id: "new", type: "paper", features, edges: [{ from: "sa3", relation: "writes" }] };
    const { predictions } = await world.client.api.call("POST /v1/jobs/:id/predict", {
      params: { id: job.id },
      body: { nodes: [fresh] },
    });
    const stored = tablesOf(stays, cluster("n", ["b", "e"], 12), {
      papers: ["new,odd,0.7,b,1 4"],
      authors: [],
      writes: ["sa3,new"],
    });
    await world.versionOf(stored, spec, dataset);
    const rows = await world.predictionsOf(await world.succeeded({ kind: "infer", model: "papers", dataset }));
    const after = rows.find(({ id }) => String(id).endsWith("new"))!;
    expect(predictions[0]!.values["p_odd"]).toBeCloseTo(Number(after["p_odd"]), 5);

    const start = { dataset, task: { target: "label" }, split: { type: "random" }, startFrom: { model: "papers" } };
    const model = { type: "rgcn", options: { hiddenFeats: 8, numLayers: 2 } };
    await expect(world.client.submit({ ...start, model, features: { transforms: ["standardize"] } })).rejects.toThrow(
      /^\/dataset: A training starts from a model only on the columns that it has learnt/,
    );
  });

  it("relations that the next version lacks, or has and the model has not learnt", async () => {
    /** Papers and authors that are joined to none of another letter */
    const cluster = (letter: string, relations: readonly string[]) => ({
      nodes: Array.from({ length: 20 }, (_, i) => `${letter}${i},${i % 3 ? "most" : "few"},${(i % 7) / 7},${i % 2}`),
      edges: Array.from(
        { length: 60 },
        (_, i) => `${letter}${i % 20},${letter}${(i + 1 + ((i * 7) % 18)) % 20},${relations[i % relations.length]}`,
      ),
    });
    const tablesOf = (...clusters: readonly ReturnType<typeof cluster>[]) => ({
      "nodes.csv": `id,label,x,y\n${clusters.flatMap(({ nodes }) => nodes).join("\n")}\n`,
      "edges.csv": `a,b,relation\n${clusters.flatMap(({ edges }) => edges).join("\n")}\n`,
    });
    const spec = {
      edges: { files: ["edges.csv"], src: "a", dst: "b", type: "relation", reverseTypes: true },
      nodes: { files: ["nodes.csv"], id: "id", label: "label", features: { columns: ["x", "y"] } },
      duplicates: "keep",
    };
    const stays = cluster("s", ["cites", "writes"]);
    const dataset = await world.versionOf(tablesOf(stays, cluster("g", ["admires", "cites", "funds", "writes"])), spec);
    const model = { type: "rgcn", options: { hiddenFeats: 8, numLayers: 2 } };
    const asked = { dataset, task: { target: "label" }, split: { type: "random" }, model, sampling: { type: "full" } };
    await world.succeeded({ ...asked, train: { epochs: 5 }, outputs: { model: "relations" } });
    // "admires" and "funds" are gone, so that "writes" is the second of the version and not the fourth.
    const next = tablesOf(stays, cluster("n", ["cites", "owns", "writes"]));
    await world.versionOf(next, spec, dataset);

    const scoresOf = async (job: JobState) =>
      new Map((await world.predictionsOf(job)).map(({ id, p_few: few }) => [String(id), Number(few)]));
    const before = await scoresOf(
      await world.succeeded({ kind: "infer", model: "relations", dataset: `${dataset}@1` }),
    );
    for (const graph of ["shared", "partitioned"]) {
      const job = await world.succeeded({ kind: "infer", model: "relations", dataset, resources: { ranks: 2, graph } });
      const now = await scoresOf(job);
      expect(now.size).toBe(40);
      for (const id of now.keys()) {
        if (id.startsWith("s")) expect(now.get(id), `${id}, ${graph}`).toBeCloseTo(before.get(id)!, 5);
      }
      const { lines } = await world.client.api.call("GET /v1/jobs/:id/logs", { params: { id: job.id } });
      expect(lines.map(({ message }) => message).join("\n")).toContain(
        'has not learnt edges of the type "owns", "rev_owns", and the job leaves them out.',
      );
    }

    // A node given in a request is as it is once it is stored.
    const job = await world.succeeded({ kind: "infer", model: "relations", dataset });
    const fresh = {
      id: "new",
      features: { x: 0.5, y: 1 },
      edges: [
        { to: "s3", relation: "writes" },
        { to: "n4", relation: "cites" },
      ],
    };
    const ask = (nodes: (typeof fresh)[]) =>
      world.client.api.call("POST /v1/jobs/:id/predict", { params: { id: job.id }, body: { nodes } });
    const { predictions } = await ask([fresh]);
    await expect(ask([{ ...fresh, edges: [{ to: "n4", relation: "owns" }] }])).rejects.toThrow(
      /There is no relation "owns"; expected one of/,
    );
    const stored = tablesOf(stays, cluster("n", ["cites", "owns", "writes"]), {
      nodes: ["new,most,0.5,1"],
      edges: ["new,s3,writes", "new,n4,cites"],
    });
    await world.versionOf(stored, spec, dataset);
    const after = await scoresOf(await world.succeeded({ kind: "infer", model: "relations", dataset }));
    expect(predictions[0]!.values["p_few"]).toBeCloseTo(after.get("new")!, 5);

    await expect(world.client.submit({ ...asked, startFrom: { model: "relations" } })).rejects.toThrow(
      /^\/dataset: A training starts from a model only on the types .* has not learnt "owns", "rev_owns"/,
    );
  });

  it("triples: the proposals of each relation that is left, with as many as are asked for", async () => {
    const triples = Array.from({ length: 80 }, (_, i) => `e${i % 16},${["near", "over"][i % 2]},e${(i * 5 + 3) % 16}`);
    // Pairs of the rare relation are joined by another too, so that without it as many are known.
    const rare = triples.slice(0, 4).map((line) => line.replace(/near|over/, "ally"));
    const spec = { edges: { files: ["triples.csv"], src: "h", dst: "t", type: "r" }, directed: true };
    const table = (rows: readonly string[]) => ({ "triples.csv": `h,r,t\n${rows.join("\n")}\n` });
    const dataset = await world.versionOf(table([...triples, ...rare]), spec);
    await world.succeeded({
      dataset,
      task: {
        type: "linkPrediction",
        dim: 8,
        relations: "each",
        decoder: { type: "distMult" },
        newNeighbors: 0,
        split: { type: "random", val: 0, test: 0 },
      },
      features: { embedding: { dim: 8 } },
      model: { type: "shallow" },
      train: { epochs: 3, batchSize: 32 },
      outputs: { model: "facts" },
    });
    await world.versionOf(table(triples), spec, dataset);
    const listsOf = async (job: JobState) =>
      Promise.all(
        Array.from({ length: 16 }, async (_, i) => {
          const [params, query] = [{ id: job.id }, { node: `e${i}` }];
          const { neighbors } = await world.client.api.call("GET /v1/jobs/:id/new-neighbors", { params, query });
          return new Map(neighbors.map(({ id, score, relations }) => [id, { score, relations }]));
        }),
      );
    const outputs = { newNeighbors: 100 };
    const before = await listsOf(
      await world.succeeded({ kind: "infer", model: "facts", dataset: `${dataset}@1`, outputs }),
    );
    const now = await listsOf(await world.succeeded({ kind: "infer", model: "facts", dataset, outputs }));
    let numCompared = 0;
    for (const [node, lists] of before.entries()) {
      expect([...now[node]!.keys()].toSorted()).toEqual([...lists.keys()].toSorted());
      for (const [id, { score, relations }] of lists) {
        if (relations.includes("ally")) continue;
        expect(now[node]!.get(id)).toEqual({ score: expect.closeTo(score, 5), relations });
        numCompared++;
      }
    }
    expect(numCompared).toBeGreaterThan(20);
    const silent = await world.succeeded({ kind: "infer", model: "facts", dataset });
    const asked = world.client.api.call("GET /v1/jobs/:id/new-neighbors", {
      params: { id: silent.id },
      query: { node: "e1" },
    });
    await expect(asked).rejects.toThrow(/lists no new neighbours.*outputs\.newNeighbors/);
  });
});
