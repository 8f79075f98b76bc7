import { backendSuite } from "./backend.suite.ts";
import { messagePassingSuite } from "./message-passing.suite.ts";

backendSuite("native");
messagePassingSuite("native");
