// Exits 0 when the address answers with a success status within three seconds.
const response = await fetch(process.argv[2], { signal: AbortSignal.timeout(3000) }).catch(() => null);
process.exit(response?.ok ? 0 : 1);
