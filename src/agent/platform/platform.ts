import type { Platform, Selection } from "../measure/reading";

/** Loads the readers for this operating system only. */
export const openPlatform = async (selection: Selection, system = process.platform): Promise<Platform> => {
  if (system === "darwin") return (await import("./darwin/darwin")).createDarwin(selection);
  if (system === "win32") return (await import("./windows/windows")).createWindows();
  return (await import("./linux/linux")).createLinux(selection);
};
