import type { Platform, Selection } from "./reading";

/** The readers for the system that this runs on; the others are not loaded. */
export const openPlatform = async (selection: Selection, system = process.platform): Promise<Platform> => {
  if (system === "darwin") return (await import("./platform/darwin")).createDarwin(selection);
  if (system === "win32") return (await import("./platform/windows")).createWindows();
  return (await import("./platform/linux")).createLinux(selection);
};
