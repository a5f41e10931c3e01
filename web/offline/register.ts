type Policy = { createScriptURL: (url: string) => string };
type WithPolicies = { trustedTypes?: { createPolicy: (name: string, rules: Policy) => Policy } };

/** Lets the service worker keep the console's code, so that it opens without a network. Browsers have it on https and localhost only. */
export const registerServiceWorker = (): void => {
  if (!("serviceWorker" in navigator)) return;
  // The content security policy demands a trusted type for the address of a script.
  const policy = (window as WithPolicies).trustedTypes?.createPolicy("service-worker", {
    createScriptURL: (url) => url,
  });
  const url = new URL("service-worker.js", document.baseURI).href;
  navigator.serviceWorker
    .register(policy ? policy.createScriptURL(url) : url)
    // Browsers look for a newer one later; until then the old code would be opened without a network.
    .then((registration) => registration.update())
    .catch((error) => console.warn("The page is not available offline, because its service worker failed", error));
};
