/** Whether a numeric address means "this machine" wherever it is read. */
export function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}

/** Whether a numeric address means "every interface" rather than one that others could connect to. */
export function isUnspecified(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}
