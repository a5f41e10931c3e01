// A separate classic script, run before the first paint, so that the page does not flash in the other theme.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {}
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen === "light" || chosen === "dark" ? chosen : dark ? "dark" : "light";
})();
