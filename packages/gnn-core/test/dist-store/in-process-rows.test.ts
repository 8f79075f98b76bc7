import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import { rowServiceSuite } from "../conformance/row-service.suite.ts";
import { driveRows } from "./drive-rows.ts";

rowServiceSuite("in one process", async (worldSize) => {
  const services = inProcessRowServices(worldSize);
  return {
    ranks: services.map(driveRows),
    stop: async () => {
      await Promise.all(services.map((service) => service.close()));
    },
  };
});
