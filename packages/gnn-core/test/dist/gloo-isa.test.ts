import { expect, test } from "vitest";
import { connectGloo } from "../../src/dist/gloo.ts";

test("a rank whose kernels use another instruction set than rank 0's is refused before it connects", async () => {
  const asked: string[] = [];
  const store = {
    set: async () => {},
    get: async (key: string) => {
      asked.push(key);
      return new TextEncoder().encode("vliw");
    },
  };
  const refusal = connectGloo({ rank: 1, worldSize: 2, store });
  await expect(refusal).rejects.toMatchObject({ code: "DEVICE_ISA_MISMATCH" });
  await expect(refusal).rejects.toThrow(/Rank 1 computes with (avx512|avx2|portable), rank 0 with vliw/);
  expect(asked).toEqual(["isa_0"]);
});
