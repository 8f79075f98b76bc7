import { backendSuite } from "./backend.suite.ts";
import { kVsAllSuite } from "./k-vs-all.suite.ts";
import { layerOpsSuite } from "./layer-ops.suite.ts";
import { messageApiSuite } from "./message-api.suite.ts";
import { messagePassingSuite } from "./message-passing.suite.ts";
import { sharedSoftmaxSuite } from "./shared-softmax.suite.ts";

backendSuite("native");
messagePassingSuite("native");
messageApiSuite("native");
layerOpsSuite("native");
sharedSoftmaxSuite("native");
kVsAllSuite("native");
