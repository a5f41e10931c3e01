import { getDefaultStore } from "jotai";
import { useLayoutEffect } from "react";
import { useSearch } from "wouter";
import { applyTheme, themeAtom } from "../../../lib/theme";
import { paths } from "../../../paths";

/** The dashboard for a television: no navigation, large and dark. */
export const WALL = `${paths.dashboard}?wall`;

/** Whether the address asks for the view for televisions. */
export const useIsWall = (): boolean => new URLSearchParams(useSearch()).has("wall");

/** Marks the document as a wall while a component is mounted: without navigation, and dark. */
export const useWallDocument = (): void =>
  useLayoutEffect(() => {
    document.documentElement.dataset.wall = "";
    applyTheme("dark");
    return () => {
      delete document.documentElement.dataset.wall;
      applyTheme(getDefaultStore().get(themeAtom));
    };
  }, []);
