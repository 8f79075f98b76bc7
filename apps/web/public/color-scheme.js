// Runs before the first paint, so that a dark page does not flash white. A file of its own: the content
// security policy allows no inline script. The key is the one Mantine's local storage manager writes.
(() => {
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let scheme = "auto";
    try {
      scheme = localStorage.getItem("mantine-color-scheme-value") ?? "auto";
    } catch {
      // Storage may be forbidden; then the system decides.
    }
    const dark = scheme === "dark" || (scheme === "auto" && prefersDark.matches);
    document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  };
  apply();
  // The dashboard follows by itself; the pages of help have no other script.
  prefersDark.addEventListener("change", apply);
})();
