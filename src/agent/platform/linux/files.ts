import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The files of the kernel, below a folder that is empty but for tests. Null stands for what cannot be read. */
export const filesBelow = (root: string) => {
  const orNull = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch {
      return null;
    }
  };
  return {
    text: (path: string): string | null => orNull(() => readFileSync(root + path, "utf8")),
    names: (path: string): string[] => orNull(() => readdirSync(root + path)) ?? [],
    link: (path: string): string | null => orNull(() => readlinkSync(root + path)),
    exists: (path: string): boolean => existsSync(root + path),
  };
};

export type Files = ReturnType<typeof filesBelow>;
