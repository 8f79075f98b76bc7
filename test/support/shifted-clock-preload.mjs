// Loaded into the programs of a stack by ShiftedClock: the calendar's clock of the process is off by what a file says.
import { readFileSync } from "node:fs";

const file = process.env["HOPWISE_TEST_CLOCK"];
const RealDate = Date;
let offsetMs = 0;

function look() {
  try {
    offsetMs = Number(readFileSync(file, "utf8"));
  } catch {
    // It is not there before the first leap.
  }
}

class ShiftedDate extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offsetMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
}

if (file) {
  look();
  setInterval(look, 20).unref();
  globalThis.Date = ShiftedDate;
}
