/**
 * As much of vitest as the conformance suites use, for a machine that has Node and no packages: it takes vitest's place
 * when a suite is compiled (script/lib/gpu-programs.mjs). Tests run one after the other, in the order of the file.
 */
import { format } from "node:util";

export { expect } from "./expect.ts";

type Work = () => unknown;
interface Test {
  readonly title: string;
  readonly body: Work;
}

const setups: Work[] = [];
const tests: Test[] = [];
const titles: string[] = [];

export const describe = Object.assign(within, { each: eachOf(within) });
export const test = Object.assign(add, { each: eachOf(add) });

export function beforeAll(setup: Work): void {
  setups.push(setup);
}

/** Runs what was declared and tells of each test. @returns how many failed */
export async function runTests(tell: (test: string, failure: string | null) => void): Promise<number> {
  let numFailed = 0;
  for (const setup of setups) await setup();
  for (const { title, body } of tests) {
    const failure = await failureOf(body);
    if (failure !== null) numFailed++;
    tell(title, failure);
  }
  return numFailed;
}

function within(title: string, body: Work): void {
  titles.push(title);
  body();
  titles.pop();
}

function add(title: string, body: Work): void {
  tests.push({ title: [...titles, title].join(" > "), body });
}

async function failureOf(body: Work): Promise<string | null> {
  try {
    await body();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function eachOf(declare: (title: string, body: Work) => void) {
  return (rows: readonly unknown[]) => (title: string, body: (...values: never[]) => unknown) => {
    for (const row of rows) {
      const values = (Array.isArray(row) ? row : [row]) as never[];
      const numPlaces = title.match(/%[sidfoj]/g)?.length ?? 0;
      declare(format(title, ...values.slice(0, numPlaces)), () => body(...values));
    }
  };
}
