// A plain script of its own, run before the first paint, so that a chosen theme never flashes the other one.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {}
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen === "light" || chosen === "dark" ? chosen : dark ? "dark" : "light";
})();
