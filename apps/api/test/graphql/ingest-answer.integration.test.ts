import { expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";

const app = useApp();

it("ingestDataset answers with whatever of its job is asked for, also what lies in other tables", async () => {
  const send = (query: string, variables: object) => app().admin.post("/graphql").send({ query, variables });
  const made = await send('mutation { createDataset(name: "a") { id latest { id } } }', {});
  const { id, latest } = made.body.data.createDataset;
  await app()
    .admin.post(`/v1/datasets/${id}/files?preview=false`)
    .attach("file", Buffer.from("src,dst\n1,2\n"), "edges.csv");
  const answer = await send(
    `mutation($version: ID!, $spec: DatasetSpecInput!) { ingestDataset(version: $version, spec: $spec) {
      state checkpoints { id } artifacts { id } partition { numParts } stages { kind } attempts { number } incidents { message }
    } }`,
    { version: latest.id, spec: { edges: { files: ["edges.csv"], src: "src", dst: "dst" } } },
  );
  expect(answer.body.errors).toBeUndefined();
  expect(answer.body.data.ingestDataset).toMatchObject({
    state: "QUEUED",
    checkpoints: [],
    partition: null,
    stages: [{ kind: "ingest" }],
  });
});
