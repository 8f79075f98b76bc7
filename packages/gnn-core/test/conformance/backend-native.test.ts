import { backendSuite } from "./backend.suite.ts";

backendSuite("native");
