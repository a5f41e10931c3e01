// A separate classic script of the document that refuses a status page for members: it opens the page where its reader is
// signed in as one of them.
(() => {
  const { page, call } = document.currentScript.dataset;
  let token = null;
  try {
    // A browser that keeps no cookies would load the page for ever.
    const isRetry = sessionStorage.getItem("opening") === page;
    if (isRetry) sessionStorage.removeItem("opening");
    else token = localStorage.getItem("token");
    if (token) sessionStorage.setItem("opening", page);
  } catch {
    token = null;
  }
  if (!token) return;
  const open = async () => {
    const url = new URL(call, document.baseURI);
    const { ok, status } = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` } });
    if (ok) return location.reload();
    sessionStorage.removeItem("opening");
    if (status !== 404) return;
    for (const part of document.querySelectorAll("[data-state]")) part.hidden = part.dataset.state !== "foreign";
  };
  open().catch(() => {});
})();
