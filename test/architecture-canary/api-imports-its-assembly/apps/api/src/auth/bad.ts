export { planted } from "../app.ts";
