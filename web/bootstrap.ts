import type { Language } from "../src/shared/language";

/** An issuer of OpenID Connect, or a proxy in front of the hub. */
export type SingleSignOn = { kind: "oidc" | "proxy"; name: string; available: boolean };

export type Settings = {
  links: { blog: string; video: string; tempMail: string; repository: string };
  registration: "open" | "closed";
  /** Who may sign in with a password, and who signs users in besides. */
  passwordLogin: "on" | "admins" | "off";
  singleSignOn: SingleSignOn | null;
  /** The language for people whose browser asks for none. */
  defaultLanguage: Language;
  /** The public address of the console, if the operator has configured it. */
  publicUrl?: string;
  /** The timeout of an API call in ms. */
  apiTimeout: number;
  /** The shortest interval of checks that may be set, in seconds. */
  minInterval: number;
  /** Seconds that an alert waits for others, and the changes of a target within half an hour that make it unstable; 0: never. */
  alerts: { groupSeconds: number; flapChanges: number };
};

const fallback: Settings = {
  links: { blog: "", video: "", tempMail: "", repository: "" },
  registration: "open",
  passwordLogin: "on",
  singleSignOn: null,
  defaultLanguage: "zh-CN",
  apiTimeout: 10_000,
  minInterval: 60,
  alerts: { groupSeconds: 10, flapChanges: 4 },
};

const read = (): Settings => {
  try {
    const configured: Partial<Settings> = JSON.parse(document.getElementById("settings")?.textContent ?? "{}");
    return { ...fallback, ...configured, links: { ...fallback.links, ...configured.links } };
  } catch {
    return fallback;
  }
};

/** The settings that the server wrote into the page's head. */
export const bootstrap = read();

/** The hub's address for machines, without a trailing slash: the configured one, or this page's. */
export const serverAddress = () => (bootstrap.publicUrl || new URL(".", document.baseURI).href).replace(/\/+$/, "");
