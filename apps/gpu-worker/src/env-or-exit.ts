import { type Env, readEnv } from "./env.ts";

/** EX_CONFIG of sysexits.h: started again as it is, the program ends the same way. */
const wrongEnvironment = 78;

/** A program's settings; where they are wrong it ends with what is wrong alone, which is the last that its log says. */
export function envOrExit(): Env {
  try {
    return readEnv();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(wrongEnvironment);
  }
}
