export { planted } from "../schema/schema.ts";
