import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { backendSuite } from "./backend.suite.ts";
import { headProductsSuite } from "./head-products.suite.ts";
import { kVsAllSuite } from "./k-vs-all.suite.ts";
import { layerOpsSuite } from "./layer-ops.suite.ts";
import { messageApiSuite } from "./message-api.suite.ts";
import { messagePassingSuite } from "./message-passing.suite.ts";
import { relationSuite } from "./relation.suite.ts";
import { sharedSoftmaxSuite } from "./shared-softmax.suite.ts";
import { stockOpsSuite } from "./stock-ops.suite.ts";

useEmulatedDevice();

backendSuite("cuda", emulated);
messagePassingSuite("cuda", emulated);
layerOpsSuite("cuda", emulated);
messageApiSuite("cuda", emulated);
headProductsSuite("cuda", emulated);
relationSuite("cuda", emulated);
stockOpsSuite("cuda", emulated);
sharedSoftmaxSuite("cuda", emulated);
kVsAllSuite("cuda", emulated);
