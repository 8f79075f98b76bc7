// node within.mjs SECONDS COMMAND ARGUMENT…: runs the command; when the time is over, ends it and all it started, and
// exits 124.
import { runWithin } from "./run-within.mjs";

const [seconds, ...command] = process.argv.slice(2);
const { status, isOver } = await runWithin(command, { seconds: Number(seconds) });
if (isOver) console.error(`${command.join(" ")} was ended after ${seconds} s.`);
process.exit(isOver ? 124 : status);
