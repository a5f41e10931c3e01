export type Settings = {
  version: string;
  links: { blog: string; video: string; tempMail: string; repository: string };
  registration: "open" | "closed";
  apiTimeout?: number;
};

const fallback: Settings = {
  version: "",
  links: { blog: "", video: "", tempMail: "", repository: "" },
  registration: "open",
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
export const settings = read();
