import { backendSuite } from "./backend.suite.ts";
import { kVsAllSuite } from "./k-vs-all.suite.ts";
import { layerOpsSuite } from "./layer-ops.suite.ts";
import { messageApiSuite } from "./message-api.suite.ts";
import { messagePassingSuite } from "./message-passing.suite.ts";
import { sharedSoftmaxSuite } from "./shared-softmax.suite.ts";

// Stock tfjs ops: the oracle, and what runs on any other tfjs backend.
backendSuite("cpu");
messagePassingSuite("cpu");
messageApiSuite("cpu");
layerOpsSuite("cpu");
sharedSoftmaxSuite("cpu");
kVsAllSuite("cpu");
