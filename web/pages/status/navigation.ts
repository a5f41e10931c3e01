import { stored } from "../../lib/storage";
import { h } from "./dom";
import { icon } from "./icon";
import type { Words } from "./words";

const addresses = {
  dashboard: "./dashboard",
  monitors: "./monitors",
  agents: "./agents",
  statusConfig: "./status/config",
  notifications: "./notifications",
} as const;

/** Whether the console's own session is kept here. Nothing of it is sent: the page is the same for everybody. */
export const isSignedIn = () => stored("token") !== null;

const username = (): string => {
  try {
    const { username: name } = JSON.parse(stored("user") ?? "{}") as { username?: unknown };
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
};

/** The console's links, for those who are signed in, and the button that unfolds them where there is little room. */
export const consoleLinks = ({ nav }: Words) => {
  const links = h(
    "nav",
    { id: "main-links", "aria-label": nav.label },
    h(
      "ul",
      {},
      ...(Object.keys(addresses) as (keyof typeof addresses)[]).map((name) =>
        h("li", {}, h("a", { href: addresses[name] }, nav[name])),
      ),
    ),
  );
  const toggle = h(
    "button",
    { type: "button", class: "plain-button nav-toggle", "aria-controls": "main-links", "aria-expanded": "false" },
    icon("menu"),
  );
  toggle.setAttribute("aria-label", nav.open);
  toggle.addEventListener("click", () => {
    const open = links.classList.toggle("open");
    toggle.setAttribute("aria-expanded", String(open));
    toggle.setAttribute("aria-label", open ? nav.close : nav.open);
    toggle.replaceChildren(icon(open ? "cross" : "menu"));
  });
  return { links, toggle };
};

/** Who is signed in, leading to their profile. */
export const account = ({ profile }: Words) => {
  const name = username();
  // The first character is not always one unit of UTF-16.
  const [letter = "U"] = name;
  return h(
    "a",
    { class: "plain-button account", href: "./profile", title: profile },
    h("span", { class: "avatar", "aria-hidden": "true" }, letter.toUpperCase()),
    h("span", { class: "user-name" }, name),
  );
};
