export { planted } from "../train/trainer.js";
