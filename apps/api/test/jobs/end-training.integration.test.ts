import { beforeAll, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

const app = useApp();
let dataset: string;

beforeAll(async () => {
  dataset = await readyDataset(app());
});

async function submit(): Promise<string> {
  const spec = { version: 1, kind: "train", dataset, task: { target: "label" } };
  return (await app().admin.post("/v1/jobs").send(spec).expect(202)).body.id;
}

const endTraining = (id: string) => app().admin.post(`/v1/jobs/${id}/end-training`);
const desiredOf = async (id: string) => (await app().services.prisma.job.findUniqueOrThrow({ where: { id } })).desired;

it("remembers the wish for the end of a training, once more asked or not, and a cancelled job stays cancelled", async () => {
  const id = await submit();
  expect((await app().admin.get(`/v1/jobs/${id}`).expect(200)).body).toMatchObject({ endsTraining: false });
  expect((await endTraining(id).expect(202)).body).toMatchObject({ id, state: "QUEUED", endsTraining: true });
  await endTraining(id).expect(202);
  expect(await desiredOf(id)).toBe("END_TRAINING");
  expect((await app().admin.get(`/v1/jobs/${id}`).expect(200)).body).toMatchObject({ endsTraining: true });
  await app().admin.post(`/v1/jobs/${id}/cancel`).expect(202);
  expect(await desiredOf(id)).toBe("CANCEL");
  expect((await endTraining(id)).body).toMatchObject({ code: "JOB_FINISHED" });
});

it("is refused where nothing trains any more or ever, and to who may not, whose answer tells nothing of the job", async () => {
  const id = await submit();
  const { prisma } = app().services;
  await prisma.stage.updateMany({ where: { jobId: id, kind: "train" }, data: { state: "SUCCEEDED" } });
  const over = await endTraining(id);
  expect(over.body).toMatchObject({ code: "JOB_FINISHED", detail: expect.stringContaining("over already") });
  await prisma.stage.deleteMany({ where: { jobId: id, kind: "train" } });
  expect((await endTraining(id)).body).toMatchObject({ code: "REQUEST_INVALID" });
  await prisma.job.update({ where: { id }, data: { state: "CANCELLING" } });
  expect((await endTraining(id)).body).toMatchObject({ code: "JOB_FINISHED" });
  expect((await endTraining("job_nobody")).body).toMatchObject({ code: "REQUEST_NOT_FOUND" });
  const authorization = await keyFor(app(), "viewer");
  const refused = await app().anonymous.post(`/v1/jobs/${id}/end-training`).set({ authorization });
  expect(refused.body).toMatchObject({ code: "AUTH_FORBIDDEN" });
});
