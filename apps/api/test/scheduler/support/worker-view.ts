import type { WorkerAnnouncement } from "@hopwise/contracts";
import type { Need, WorkerView } from "../../../src/scheduler/need.ts";

export function announcementOf(id: string, change: Partial<WorkerAnnouncement> = {}): WorkerAnnouncement {
  return {
    contract: 1,
    id,
    bootId: "b",
    host: id,
    version: "0",
    build: "0",
    pid: 1,
    devices: [],
    slots: 4,
    cores: 4,
    memoryBytes: 0,
    diskFreeBytes: 0,
    isa: "",
    labels: {},
    components: ["step:train@1"],
    rankAddress: null,
    draining: false,
    running: [],
    ...change,
  };
}

export function worker(id: string, freeSlots: number, change: Partial<WorkerAnnouncement> = {}): WorkerView {
  return { announcement: announcementOf(id, change), refusal: null, freeSlots, takenDevices: new Set() };
}

/** Two ranks that compute on whatever CPU */
export const need: Need = {
  members: 2,
  mostMembers: 2,
  devices: 0,
  mostDevices: 0,
  deviceBytes: 0,
  fewestMembers: null,
  hosts: "auto",
  device: "auto",
  labels: {},
  components: ["step:train@1"],
};
