import { expect, it } from "vitest";
import { Hold } from "./support/hold.ts";

it("a hold that no process reaches is given up after the seconds that it is given", async () => {
  const hold = new Hold();
  try {
    hold.arm("sampled", { rank: 0 });
    await expect(hold.reached(0.01)).rejects.toThrow("waited 0.01 s for a process at the point");
  } finally {
    hold.close();
  }
});
