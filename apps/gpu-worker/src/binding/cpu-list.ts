/** The kernel's notation for sets of CPUs: `0-3,8` ↔ [0, 1, 2, 3, 8] */
export function parseCpuList(text: string): number[] {
  return text
    .trim()
    .split(",")
    .filter(Boolean)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

export function formatCpuList(cpus: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const cpu of cpus.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && cpu === last[1] + 1) last[1] = cpu;
    else ranges.push([cpu, cpu]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}
