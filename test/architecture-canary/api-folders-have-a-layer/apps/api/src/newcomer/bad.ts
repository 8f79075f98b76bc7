export { planted } from "../auth/viewer.ts";
