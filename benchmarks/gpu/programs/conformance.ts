/** The suites that every backend passes, on the device. In the emulation one of them, as the tests run them all. */
import { backendSuite } from "../../../packages/gnn-core/test/conformance/backend.suite.ts";
import { headProductsSuite } from "../../../packages/gnn-core/test/conformance/head-products.suite.ts";
import { kVsAllSuite } from "../../../packages/gnn-core/test/conformance/k-vs-all.suite.ts";
import { layerOpsSuite } from "../../../packages/gnn-core/test/conformance/layer-ops.suite.ts";
import { messageApiSuite } from "../../../packages/gnn-core/test/conformance/message-api.suite.ts";
import { messagePassingSuite } from "../../../packages/gnn-core/test/conformance/message-passing.suite.ts";
import { relationSuite } from "../../../packages/gnn-core/test/conformance/relation.suite.ts";
import { sharedSoftmaxSuite } from "../../../packages/gnn-core/test/conformance/shared-softmax.suite.ts";
import { stockOpsSuite } from "../../../packages/gnn-core/test/conformance/stock-ops.suite.ts";
import { device, isSmall, tell } from "./arguments.ts";
import { runTests } from "./suite-runner.ts";

messagePassingSuite("cuda", device);
if (!isSmall) {
  backendSuite("cuda", device);
  kVsAllSuite("cuda", device);
  layerOpsSuite("cuda", device);
  messageApiSuite("cuda", device);
  headProductsSuite("cuda", device);
  relationSuite("cuda", device);
  sharedSoftmaxSuite("cuda", device);
  stockOpsSuite("cuda", device);
}

let numPassed = 0;
const numFailed = await runTests((test, failure) => {
  if (failure === null) numPassed++;
  else tell({ test, failure });
});
tell({ passed: numPassed, failed: numFailed });
process.exitCode = numFailed === 0 ? 0 : 1;
