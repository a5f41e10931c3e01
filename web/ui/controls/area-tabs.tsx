import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { paths } from "../../paths";
import { scrollToChosen } from "./tabs";

/** The screens of the area in the order of their links; each is labelled by `status.area`. */
const areas = [
  ["page", paths.statusConfig],
  ["pages", paths.statusPages],
  ["incidents", paths.incidents],
  ["maintenance", paths.maintenance],
  ["subscribers", paths.subscribers],
] as const;

/**
 * The links between the screens of the status page, at the top of each of them. On narrow screens they scroll in one line.
 * `current` is the path of the marked link, by default the screen's own.
 */
export function AreaTabs({ current }: { current?: string }) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const list = useRef<HTMLElement>(null);
  useEffect(() => scrollToChosen(list.current, "[aria-current]"), []);
  return (
    <nav className="area-tabs" aria-label={t("status.area.label")} ref={list}>
      {areas.map(([name, path]) => (
        <Link key={name} href={path} aria-current={(current ?? location) === path ? "page" : undefined}>
          {t(`status.area.${name}`)}
        </Link>
      ))}
    </nav>
  );
}
