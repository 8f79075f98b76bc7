// A vitest reporter that appends what begins and ends to HOPWISE_TEST_PROGRESS, a JSON line each: what a run that had
// to be ended was doing, and what it had got done.
import { appendFileSync } from "node:fs";

export default class ProgressReporter {
  onTestModuleQueued(module) {
    this.#note({ event: "begun", file: module.relativeModuleId });
  }

  onTestModuleEnd(module) {
    this.#note({ event: "ended", file: module.relativeModuleId });
  }

  onTestCaseReady(test) {
    this.#note({ event: "test", file: test.module.relativeModuleId, test: test.fullName });
  }

  onTestCaseResult(test) {
    this.#note({ event: test.result().state, file: test.module.relativeModuleId, test: test.fullName });
  }

  onHookStart({ name, entity }) {
    const file = "module" in entity ? entity.module.relativeModuleId : entity.relativeModuleId;
    this.#note({ event: "test", file, test: name });
  }

  #note(line) {
    appendFileSync(process.env.HOPWISE_TEST_PROGRESS, `${JSON.stringify(line)}\n`);
  }
}
