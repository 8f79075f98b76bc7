import { backendSuite } from "./backend.suite.ts";

// Stock tfjs ops: the oracle, and what runs on any other tfjs backend.
backendSuite("cpu");
