import { expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";

const app = useApp();

it("gives a job's cursor as it was when the state was read, so that no event lies between them", async () => {
  const { prisma } = app().services;
  const id = "job_moving";
  await prisma.job.create({ data: { id, projectId: "default", createdBy: "admin", kind: "map", name: "0", spec: {} } });
  const query = "query($id: ID!) { job(id: $id) { name cursor stages { index } series { name } } }";
  const moved = new AbortController();
  // Name and cursor change in one statement: in one look at the row they are the same number.
  const moving = (async () => {
    for (let cursor = 1; !moved.signal.aborted; cursor++)
      await prisma.job.update({ where: { id }, data: { cursor, name: `${cursor}` } });
    return prisma.job.findUniqueOrThrow({ where: { id } });
  })();
  const pairs: [string, string][] = [];
  for (let i = 0; i < 60; i++) {
    const { body } = await app().admin.post("/graphql").send({ query, variables: { id } });
    pairs.push([body.data.job.name, body.data.job.cursor]);
  }
  moved.abort();
  expect((await moving).cursor).toBeGreaterThan(10);
  expect(pairs.filter(([name, cursor]) => name !== cursor)).toEqual([]);
});
