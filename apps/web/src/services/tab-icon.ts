const colors: Readonly<Record<string, string>> = {
  SUCCEEDED: "#17806a",
  FAILED: "#c92a2a",
  RUNNING: "#1c6fbf",
  CANCELLING: "#c26a00",
};
const circumference = 2 * Math.PI * 10;

/** An icon for the browser's tab: a sign of how a job ended, or a ring that closes as it goes on. */
export function tabIcon(state: string, share: number): string {
  const color = colors[state] ?? "#6b7280";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${color}"/>${signOf(state, share)}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function signOf(state: string, share: number): string {
  const line = 'fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"';
  if (state === "SUCCEEDED") return `<path d="M8 17l6 6 11-13" ${line}/>`;
  if (state === "FAILED") return `<path d="M10 10l12 12M22 10L10 22" ${line}/>`;
  const done = Math.round(Math.min(1, Math.max(0, share)) * 20) / 20;
  const dash = `${(done * circumference).toFixed(1)} ${circumference.toFixed(1)}`;
  const ring = 'cx="16" cy="16" r="10" fill="none" stroke="#fff" stroke-width="4"';
  return `<circle ${ring} opacity=".35"/><circle ${ring} stroke-dasharray="${dash}" transform="rotate(-90 16 16)"/>`;
}
