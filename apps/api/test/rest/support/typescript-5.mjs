// TypeScript 5, whose compiler offers its API to programs, as ts-morph carries it.
import { ts } from "@ts-morph/common";

export default ts;
