import { describe, test } from "vitest";
import { expectOneRanksTraining, inCommon, useJoinedDevices } from "./support/joined-devices.ts";

useJoinedDevices();

describe("two ranks whose devices are joined", () => {
  test.each(Object.keys(inCommon))("have %s in common without a wait, and train as one rank does", (what) =>
    expectOneRanksTraining(inCommon[what]!),
  );
});
