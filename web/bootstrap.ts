export type Settings = {
  links: { blog: string; video: string; tempMail: string; repository: string };
  registration: "open" | "closed";
  /** What people type to get here, where the operator said so. */
  publicUrl?: string;
  /** Milliseconds that a call of the API may take. */
  apiTimeout: number;
};

const fallback: Settings = {
  links: { blog: "", video: "", tempMail: "", repository: "" },
  registration: "open",
  apiTimeout: 10_000,
};

const read = (): Settings => {
  try {
    const given: Partial<Settings> = JSON.parse(document.getElementById("settings")?.textContent ?? "{}");
    return { ...fallback, ...given, links: { ...fallback.links, ...given.links } };
  } catch {
    return fallback;
  }
};

/** What the server wrote into the page's head. */
export const bootstrap = read();

/** Where machines reach this console, without a slash at the end: as the operator says, or as this page was reached. */
export const serverAddress = () => (bootstrap.publicUrl || new URL(".", document.baseURI).href).replace(/\/+$/, "");
