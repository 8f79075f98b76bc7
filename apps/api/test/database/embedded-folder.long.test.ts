import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { ApiProgram } from "../support/api-program.ts";

let dir = "";
const running: ApiProgram[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hopwise-folder-"));
});
afterEach(async () => {
  for (const api of running.splice(0)) await api.program.kill();
  rmSync(dir, { recursive: true, force: true });
});

async function start(data: string): Promise<ApiProgram> {
  const api = await ApiProgram.start(data, dir);
  running.push(api);
  return api;
}

it("has one API: a second one is refused by the name of the first, and the first does not notice", async () => {
  const data = join(dir, "data");
  const first = await start(data);
  await first.ready();
  await first.makeDataset("before");
  const second = await start(data);
  await until("the refusal", () => second.log.includes(`is in use by process ${first.program.pid} on`));
  await first.makeDataset("after");
  expect(await first.datasets()).toEqual(["after", "before"]);
});

it("is free for the next API as soon as the first is killed, with all that it had answered", async () => {
  const data = join(dir, "data");
  const first = await start(data);
  await first.ready();
  await first.makeDataset("kept");
  await first.program.kill("SIGKILL");
  const second = await start(data);
  await second.ready();
  expect(await second.datasets()).toEqual(["kept"]);
});

it("can be copied while nobody uses it, and the copy goes on where it was taken while the original goes its own way", async () => {
  const data = join(dir, "data");
  const copy = join(dir, "copy");
  const original = await start(data);
  await original.ready();
  const id = await original.makeDataset("in both");
  expect(await original.upload(id, "edges.csv", "src,dst\na,b\n")).toMatchObject({ status: 201 });
  await original.program.kill("SIGTERM");
  cpSync(data, copy, { recursive: true });

  const again = await start(data);
  const restored = await start(copy);
  await Promise.all([again.ready(), restored.ready()]);
  await again.makeDataset("in the original");
  await restored.makeDataset("in the copy");
  expect(await again.datasets()).toEqual(["in both", "in the original"]);
  expect(await restored.datasets()).toEqual(["in both", "in the copy"]);
});
