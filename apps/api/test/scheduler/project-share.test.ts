import { expect, it } from "vitest";
import { ProjectShare } from "../../src/scheduler/project-share.ts";
import { roomInProject } from "../../src/scheduler/room-in-project.ts";
import { need, worker } from "./support/worker-view.ts";

const limits = { name: "nlp", slots: 4, devices: null };
const wanted = (slots: number, mostSlots = slots) => ({ slots, mostSlots, devices: 0, mostDevices: 0 });

it("gives a project slots up to its limit, counts what a round has granted, and says the numbers", () => {
  const share = new ProjectShare(limits, { slots: 1, devices: 0 });
  expect(share.objection(wanted(3))).toBeNull();
  share.take({ slots: 2, devices: 0 });
  expect(share.objection(wanted(1))).toBeNull();
  expect(share.objection(wanted(2))).toBe(
    'The project "nlp" may hold 4 slots at once and holds 3; this stage needs 2. Waiting for other jobs of the project to end.',
  );
});

it("keeps for a large job what it waits for, and says so to the small one behind it", () => {
  const share = new ProjectShare(limits, { slots: 2, devices: 0 });
  expect(share.objection(wanted(3))).toMatch(/holds 2; this stage needs 3/);
  share.keep({ slots: 3, devices: 0 });
  expect(share.objection(wanted(1))).toBe(
    'The project "nlp" may hold 4 slots at once and holds 2; the rest is kept for a job of the project that goes before this one.',
  );
});

it("does not begin a job whose later stages would need more than the project may ever hold", () => {
  const share = new ProjectShare(limits, { slots: 0, devices: 0 });
  expect(share.objection(wanted(1, 6))).toMatch(/needs 6 slots at once, and its project "nlp" may hold 4/);
});

const gpu = (id: string) =>
  worker(id, 4, {
    devices: [0, 1].map((index) => ({
      kind: "cuda" as const,
      index,
      name: "test",
      memoryBytes: 0,
      computeCapability: "8.9",
      uuid: `${id}-${index}`,
      isEmulated: false,
      driverVersion: null,
      migParent: null,
      links: [],
      use: null,
    })),
  });

it("leaves a job of any device the workers without devices where its project may hold none", () => {
  const share = new ProjectShare({ name: "nlp", slots: null, devices: 0 }, { slots: 0, devices: 0 });
  const onAny = { ...need, devices: 2, mostDevices: 2 };
  const workers = [gpu("gpu"), worker("cpu", 4)];
  const room = roomInProject(onAny, workers, share, true);
  expect(room).toMatchObject({ objection: null, wanted: { devices: 0 } });
  expect(room.workers.map(({ announcement }) => announcement.id)).toEqual(["cpu"]);
  const onCuda = roomInProject({ ...onAny, device: "cuda" }, workers, share, true);
  expect(onCuda.objection).toMatch(/needs 2 devices at once, and its project "nlp" may hold 0/);
});

it("counts no devices where no worker has any", () => {
  const share = new ProjectShare({ name: "nlp", slots: null, devices: 1 }, { slots: 0, devices: 1 });
  const onAny = { ...need, members: 1, mostMembers: 1, devices: 1, mostDevices: 1 };
  expect(roomInProject(onAny, [worker("cpu", 4)], share, true).objection).toBeNull();
  expect(roomInProject(onAny, [gpu("gpu")], share, true).objection).toMatch(/may hold 1 devices at once and holds 1/);
});

it("lets a job that has begun go on when the month's hours are used, and no other begin", () => {
  const share = new ProjectShare({ name: "nlp", slots: null, devices: null }, { slots: 0, devices: 0 }, "used up");
  expect(roomInProject(need, [worker("a", 4)], share, true).objection).toBe("used up");
  expect(roomInProject(need, [worker("a", 4)], share, false).objection).toBeNull();
});
