// A separate classic script, run while the scripts of the page are being loaded: it sends the requests that the screen begins
// with. web/head/first-answers.ts takes their answers.
(() => {
  const { page, beside } = document.currentScript.dataset;
  let [token, team] = [null, null];
  try {
    token = localStorage.getItem("token");
    team = sessionStorage.getItem("team") ?? localStorage.getItem("team");
  } catch {}
  // A search or a tab begins with other requests.
  if (!token || location.search) return;
  const paths = page.split(" ");
  // The width of BESIDE in web/lib/hooks/use-media.ts.
  if (beside && matchMedia("(min-width: 80rem)").matches) paths.push(beside);
  const id = location.pathname.replace(/\/$/, "").split("/").pop();
  const answers = new Map();
  for (const path of paths) {
    const url = new URL(path.replace(":id", id), document.baseURI);
    // As web/lib/team.ts does.
    if (team) url.searchParams.set("team", team);
    const headers = { authorization: `Bearer ${token}` };
    const answer = fetch(url, { headers, credentials: "omit", signal: AbortSignal.timeout(10_000) });
    // The page sends a failed request again.
    answer.catch(() => {});
    answers.set(url.href, answer);
  }
  window.firstAnswers = { token, answers };
})();
