import { describe, expect, it } from "vitest";
import { FairSlots } from "../../src/requests/fair-slots.ts";

const never = new AbortController().signal;

/** Takes a slot; `order` says when it was had. */
function ask(slots: FairSlots, owner: string, order: string[], signal = never) {
  return slots.take(owner, signal).then((release) => {
    order.push(owner);
    return release;
  });
}

/** Lets everything happen that waits for nothing else. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("slots", () => {
  it("are had by so many of one owner, and the others of that owner wait their turn", async () => {
    const slots = new FairSlots({ perOwner: 2, waitingPerOwner: 10, inAll: 10 });
    const order: string[] = [];
    const [first] = await Promise.all([ask(slots, "a", order), ask(slots, "a", order)]);
    const third = ask(slots, "a", order);
    await ask(slots, "b", order);
    expect(order).toEqual(["a", "a", "b"]);
    first?.();
    await third;
    expect(order).toEqual(["a", "a", "b", "a"]);
  });

  it("go to the owners in turn, however many of one wait", async () => {
    const slots = new FairSlots({ perOwner: 1, waitingPerOwner: 10, inAll: 1 });
    const order: string[] = [];
    const release = await ask(slots, "a", order);
    const waiting = ["a", "a", "a", "b", "c"].map(async (owner) => {
      const giveBack = await ask(slots, owner, order);
      giveBack();
    });
    release();
    await Promise.all(waiting);
    expect(order).toEqual(["a", "a", "b", "c", "a", "a"]);
  });

  it("are refused when too many of one owner wait, and left by those who give up", async () => {
    const slots = new FairSlots({ perOwner: 1, waitingPerOwner: 1, inAll: 2 });
    const order: string[] = [];
    const release = await ask(slots, "a", order);
    const patience = new AbortController();
    const second = ask(slots, "a", order, patience.signal);
    await expect(ask(slots, "a", order)).rejects.toMatchObject({ problem: { code: "REQUEST_RATE_LIMITED" } });
    patience.abort(new Error("gave up"));
    await expect(second).rejects.toThrow("gave up");
    const third = ask(slots, "a", order);
    release();
    release(); // again gives back nothing more
    await third;
    const fourth = ask(slots, "a", order);
    await settle();
    expect(order).toEqual(["a", "a"]);
    (await third)();
    await fourth;
  });
});
