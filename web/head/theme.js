// A separate classic script, run before the first paint, so that the page does not flash in the other theme, nor the wall with
// a navigation bar.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {}
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const { dataset } = document.documentElement;
  const isWall = location.pathname === new URL("wall", document.baseURI).pathname;
  if (isWall || new URLSearchParams(location.search).has("wall")) dataset.wall = "";
  dataset.theme =
    "wall" in dataset ? "dark" : chosen === "light" || chosen === "dark" ? chosen : dark ? "dark" : "light";
})();
