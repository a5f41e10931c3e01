import { useAtomValue, useSetAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { copyText } from "../../lib/copy";
import { base } from "../../lib/navigation/base-path";
import { themeAtom, themes } from "../../lib/theme";
import { paths } from "../../paths";
import { type Screen, screens } from "../../screens";
import { endSession, sessionAtom } from "../../session";
import type { IconName } from "../../ui/controls/icon";
import { toast } from "../../ui/feedback/toast";
import { languages, useChooseLanguage } from "../../ui/layout/menus";
import { readInstallCommand } from "../servers/guide/install-command";

/** One line of the palette. */
export type Entry = {
  key: string;
  group: "here" | "monitors" | "servers" | "screens" | "actions";
  icon: IconName;
  label: string;
  /** What else is known of it, after the label. */
  detail?: string;
  /** Search words besides the label. */
  words?: string;
  run: () => unknown;
};

/** Whether each word of a search is in the entry's label, or begins one of its further words. */
export const matches = ({ label, words = "" }: Entry, search: string): boolean => {
  const further = words.toLowerCase().split(/[\s/]+/);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word) || further.some((one) => one.startsWith(word)));
};

const iconOf = ({ link, path }: Screen): IconName => link?.icon ?? ICONS[path.split("/").at(-1) ?? ""] ?? "page";

/** The icons of screens without a link in the navigation, by the end of their path. */
const ICONS: Readonly<Record<string, IconName>> = { create: "plus", incidents: "alert", maintenance: "maintenance" };

/** The screens and actions that the viewer may use, in the language of the interface. */
export const useStaticEntries = (onKeys: () => void): Entry[] => {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const setTheme = useSetAtom(themeAtom);
  const chooseLanguage = useChooseLanguage();
  const isAdmin = useAtomValue(sessionAtom).user?.role === "admin";

  const toScreens = Object.entries<Screen>(screens).flatMap(([name, screen]): Entry[] => {
    const { path, access, title, link } = screen;
    if (!title || path.includes(":") || (access !== "user" && (access !== "admin" || !isAdmin))) return [];
    const label = t(link?.label ?? title);
    return [
      { key: name, group: "screens", icon: iconOf(screen), label, words: `${name} ${path}`, run: () => navigate(path) },
    ];
  });

  const copyInstall = async () => {
    try {
      const copied = await copyText(await readInstallCommand());
      toast(t(copied ? "palette.installCopied" : "common.copy.failed"), { tone: copied ? "good" : "bad" });
    } catch {
      toast(t("palette.installFailed"), { tone: "bad" });
    }
  };

  const action = (entry: Omit<Entry, "group" | "words"> & { words?: string }): Entry => ({
    words: entry.key,
    ...entry,
    group: "actions",
  });
  const labelled = (label: string, value: string) => t("common.labelled", { label, value });

  return [
    ...toScreens,
    {
      key: "status",
      group: "screens",
      icon: "external",
      label: t("palette.publicPage"),
      words: "public status page",
      run: () => location.assign(base + paths.status),
    },
    action({
      key: "install",
      icon: "copy",
      label: t("palette.copyInstall"),
      run: copyInstall,
      words: "copy install command agent",
    }),
    ...themes.map((theme) =>
      action({
        key: `theme ${theme}`,
        icon: theme === "dark" ? "moon" : theme === "light" ? "sun" : "screen",
        label: labelled(t("common.theme.label"), t(`common.theme.${theme}`)),
        run: () => setTheme(theme),
      }),
    ),
    ...languages.map(({ value, label }) =>
      action({
        key: `language ${value}`,
        icon: "globe",
        label: labelled(t("common.language"), label),
        run: () => chooseLanguage(value),
      }),
    ),
    action({
      key: "keys",
      icon: "key",
      label: t("palette.keys.title"),
      run: onKeys,
      words: "keyboard shortcuts help",
    }),
    action({
      key: "sign out",
      icon: "leave",
      label: t("common.user.logout"),
      run: () => endSession(() => navigate(paths.login)),
      words: "sign out logout",
    }),
  ];
};
