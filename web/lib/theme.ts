import { atom } from "jotai";
import { choiceAtom } from "./storage";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const chosen = choiceAtom<Theme>("theme", themes, "system");
const systemIsDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

const paint = (theme: Theme) => {
  document.documentElement.dataset.theme = theme === "system" ? (systemIsDark() ? "dark" : "light") : theme;
};

export const themeAtom = atom(
  (get) => get(chosen),
  (_get, set, theme: Theme) => {
    set(chosen, theme);
    paint(theme);
  },
);

/** Follow the system for as long as nothing else is chosen. */
export const followSystemTheme = (theme: () => Theme) => {
  paint(theme());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint(theme()));
};
