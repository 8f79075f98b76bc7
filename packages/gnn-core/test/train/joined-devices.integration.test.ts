import { test } from "vitest";
import { expectOneRanksTraining, inCommon, useJoinedDevices } from "./support/joined-devices.ts";

useJoinedDevices();

test("two ranks whose devices are joined share learned rows without a wait, and train as one rank does", () =>
  expectOneRanksTraining(inCommon["learned rows"]!));
