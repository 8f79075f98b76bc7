import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where things lie on this machine, and how much is done. */
export interface Place {
  /** Root of the checkout, or of what was packed */
  readonly root: string;
  /** Compiled programs of this folder */
  readonly programs: string;
  readonly isEmulated: boolean;
  /** Folder for the graph */
  readonly scratchDir: string;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** A part of the check, in a process of its own, which may fail, crash or hang without taking others along. */
export interface Step {
  readonly name: string;
  readonly title: string;
  readonly budgetSeconds: number;
  /** It needs no device: it starts with the check, and runs beside the steps before it */
  readonly startsAtOnce?: boolean;
  /** Only where it is named: the others take what time there is */
  readonly isExtra?: boolean;
  /** Steps that must have passed before */
  readonly needs?: readonly string[];
  /** What to start; a text says why it cannot be */
  command(place: Place): Command | string;
}

/** The most valuable first: a machine may be taken away at any time. The sanitizer takes what is left. */
export const steps: readonly Step[] = [
  {
    name: "kernels",
    title: "Kernels against their twins for CPUs",
    budgetSeconds: 60,
    command: (place) => {
      const tests = driver(place);
      return !place.isEmulated || existsSync(tests.program) ? tests : "script/test-device has not built them here";
    },
  },
  {
    name: "measures",
    title: "What the device can do, and what kernels do",
    budgetSeconds: 75,
    command: (place) => ({ program: built(place, "device-bench"), args: place.isEmulated ? ["--small"] : [] }),
  },
  {
    name: "conformance",
    title: "The backend's conformance suites",
    budgetSeconds: 60,
    command: (place) => program(place, "conformance"),
  },
  {
    name: "losses",
    title: "Losses of 20 steps against the native backend's",
    budgetSeconds: 45,
    command: (place) => program(place, "losses"),
  },
  {
    name: "steps",
    title: "A thousand steps: launches, waits and memory",
    budgetSeconds: 30,
    command: (place) => program(place, "steps"),
  },
  {
    name: "graph",
    title: "Making a graph of ogbn-products' shape",
    budgetSeconds: 240,
    startsAtOnce: true,
    command: (place) => program(place, "graph"),
  },
  {
    name: "epoch",
    title: "Epochs of GraphSAGE on it, blocks sampled by the host and by the device",
    budgetSeconds: 90,
    needs: ["graph"],
    command: (place) => program(place, "epoch"),
  },
  {
    name: "deviceSampling",
    title: "The blocks of such an epoch alone, sampled by the device",
    budgetSeconds: 40,
    needs: ["graph"],
    command: (place) => ({
      program: built(place, "device-bench"),
      args: [...(place.isEmulated ? ["--small"] : []), "--graph", graphDir(place)],
    }),
  },
  {
    name: "lightGcn",
    title: "Steps of LightGCN on a graph of gowalla's size, its links taken out by the device",
    budgetSeconds: 60,
    command: (place) => program(place, "light-gcn"),
  },
  {
    name: "twoRanks",
    title: "Two ranks on one device",
    budgetSeconds: 45,
    command: (place) => program(place, "two-ranks"),
  },
  {
    name: "severalDevices",
    title: "Ranks on devices of their own, joined by NCCL, and reading each other's shares of the features",
    budgetSeconds: 90,
    command: (place) => program(place, "several-devices"),
  },
  {
    name: "kernelFault",
    title: "A kernel that fails is named",
    budgetSeconds: 20,
    command: (place) => {
      if (place.isEmulated) return "the emulation has tests of its own for it, in script/test-device";
      return { program: driver(place).program, args: ["--crash", "failing-kernel"] };
    },
  },
  {
    name: "pyg",
    title: "Epochs of GraphSAGE by PyG on the same graph",
    budgetSeconds: 75,
    needs: ["graph"],
    command: (place) =>
      place.isEmulated
        ? "PyG is for comparison on a GPU"
        : outside("python3", join(place.root, "benchmarks/gpu/pyg.py"), "--graph", graphDir(place)),
  },
  {
    name: "largeEpoch",
    title: "Epochs of GraphSAGE on a graph of ogbn-papers100M's size, features in the device's memory",
    budgetSeconds: 150,
    command: (place) => program(place, "large-epoch"),
  },
  {
    name: "memcheck",
    title: "The kernels' tests under compute-sanitizer's memcheck",
    budgetSeconds: 120,
    command: (place) => sanitized(place, "memcheck"),
  },
  {
    name: "racecheck",
    title: "The kernels' tests under compute-sanitizer's racecheck",
    budgetSeconds: 120,
    command: (place) => sanitized(place, "racecheck"),
  },
  {
    name: "table2",
    title: "The grid of Table 2 on a graph of Reddit's size, with a rank for each device",
    budgetSeconds: 400,
    isExtra: true,
    command: (place) => program(place, "table2"),
  },
];

function graphDir({ scratchDir }: Place): string {
  return join(scratchDir, "graph");
}

/** The C++ programs exist twice: for GPUs, and for the emulation. */
function built({ root, isEmulated }: Place, name: string): string {
  return join(root, "packages/gnn-core/build/device/test-device", isEmulated ? name : `${name}-gpu`);
}

/** A program of the machine's own, which has libraries of its own. */
function outside(...command: string[]): Command {
  return { program: "env", args: [`LD_LIBRARY_PATH=${process.env.HOPWISE_MACHINE_LIBRARIES ?? ""}`, ...command] };
}

function driver(place: Place): Command {
  return { program: built(place, "device-tests"), args: place.isEmulated ? ["--order", "forward"] : [] };
}

function program(place: Place, name: string): Command {
  const args = [join(place.programs, `${name}.mjs`), ...(place.isEmulated ? ["--emulated"] : [])];
  return { program: process.execPath, args: [...args, "--graph", graphDir(place)] };
}

function sanitized(place: Place, tool: string): Command | string {
  if (place.isEmulated) return "compute-sanitizer is for GPUs; script/test-device has g++'s sanitizers";
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/local/cuda/bin"];
  const sanitizer = folders.map((folder) => join(folder, "compute-sanitizer")).find((path) => existsSync(path));
  if (!sanitizer) return "there is no compute-sanitizer here (it comes with NVIDIA's CUDA toolkit)";
  // Tests of what happens without memory ask for too much: calls that the runtime refuses are no mistakes.
  const options = ["--tool", tool, "--report-api-errors", "no", "--error-exitcode", "9"];
  const { program: tests, args } = driver(place);
  return { program: sanitizer, args: [...options, tests, ...args] };
}
