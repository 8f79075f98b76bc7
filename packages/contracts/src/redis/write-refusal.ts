/**
 * What to do about a Redis that answers and takes no writes; null for any other error. It mends itself: what was under
 * way waits, and goes on when writes are taken again.
 */
export function explainWriteRefusal(error: unknown): string | null {
  const said = error instanceof Error ? error.message : "";
  const [reason] = /\b(OOM|MISCONF|READONLY)\b/.exec(said) ?? [];
  if (reason === "OOM")
    return "Redis refuses writes: it holds as much as its maxmemory allows. Raise it (CONFIG SET maxmemory, and in its configuration), or give Hopwise a Redis of its own; jobs wait meanwhile and then go on.";
  if (reason === "MISCONF")
    return "Redis refuses writes: it cannot write its file (MISCONF). Make room on its disk or mend its folder; jobs wait meanwhile and then go on.";
  if (reason === "READONLY")
    return "Redis refuses writes: REDIS_URL names a replica. Name the primary; jobs wait meanwhile and then go on.";
  return null;
}

/** What is wrong with how Redis is told to make room; null when it may not drop what is in use. */
export function explainEviction(memoryInfo: string): string | null {
  const [, policy = "noeviction"] = /^maxmemory_policy:(\S+)/m.exec(memoryInfo) ?? [];
  if (policy === "noeviction") return null;
  return `Redis's maxmemory-policy is ${policy}: when its memory is full it drops leases, tasks and events of running jobs, which then are tried again or lost. Set it to noeviction (CONFIG SET maxmemory-policy noeviction, and in its configuration).`;
}
