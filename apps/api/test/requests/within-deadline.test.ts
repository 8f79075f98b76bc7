import { expect, it } from "vitest";
import { FairSlots } from "../../src/requests/fair-slots.ts";
import { withinDeadline } from "../../src/requests/within-deadline.ts";

it("answers at the deadline, tells the work to stop, and gives its slot back when it has", async () => {
  const slots = new FairSlots({ perOwner: 1, waitingPerOwner: 5, inAll: 1 });
  const options = { slots, owner: "a", seconds: 0.05 };
  let stop: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let heard: unknown;
  const slow = withinDeadline(options, async (signal) => {
    signal.addEventListener("abort", () => {
      heard = signal.reason;
    });
    await stopped;
  });
  const late = { problem: { code: "REQUEST_DEADLINE", status: 503 } };
  await expect(slow).rejects.toMatchObject(late);
  expect(heard).toMatchObject(late);
  // The work goes on, so nobody else has its slot; the deadline counts while one waits.
  await expect(withinDeadline(options, async () => "mine")).rejects.toMatchObject(late);
  stop();
  expect(await withinDeadline(options, async () => "mine")).toBe("mine");
});
