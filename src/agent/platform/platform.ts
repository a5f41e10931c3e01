import type { Platform, Selection } from "../measure/reading";

/** The readers for the system that this runs on; the others are not loaded. */
export const openPlatform = async (selection: Selection, system = process.platform): Promise<Platform> => {
  if (system === "darwin") return (await import("./darwin/darwin")).createDarwin(selection);
  if (system === "win32") return (await import("./windows/windows")).createWindows();
  return (await import("./linux/linux")).createLinux(selection);
};
