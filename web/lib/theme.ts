import { atom } from "jotai";
import { choiceAtom } from "./storage";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const chosen = choiceAtom<Theme>("theme", themes, "system");
const systemIsDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

export const applyTheme = (theme: Theme) => {
  const { dataset } = document.documentElement;
  const isDark = theme === "system" ? systemIsDark() : theme === "dark";
  // The wall is always dark.
  dataset.theme = isDark || "wall" in dataset ? "dark" : "light";
};

export const themeAtom = atom(
  (get) => get(chosen),
  (_get, set, theme: Theme) => {
    set(chosen, theme);
    applyTheme(theme);
  },
);

/** Applies the theme, and applies it again when the system switches between light and dark. Paper is light. */
export const followSystemTheme = (theme: () => Theme) => {
  applyTheme(theme());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme(theme()));
  addEventListener("beforeprint", () => applyTheme("light"));
  addEventListener("afterprint", () => applyTheme(theme()));
};
