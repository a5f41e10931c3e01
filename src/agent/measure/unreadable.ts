import type { UnreadableDisk } from "../../shared/report";
import type { Logger } from "../output";

const REASONS: Record<string, string> = {
  permission: "a folder above it is closed to this program's user; give that user the right to enter it",
  timeout: "it does not answer within 3 s",
};

const lineOf = ({ mount, reason }: UnreadableDisk): string => `${mount} (${REASONS[reason] ?? reason})`;

/** Remembers which disks cannot be read, and logs each change once. */
export const watchUnreadable = (log: Logger) => {
  let disks: UnreadableDisk[] = [];
  let lines = new Set<string>();
  return {
    get disks() {
      return disks;
    },
    set: (found: UnreadableDisk[]): void => {
      disks = found;
      const now = new Set(found.map(lineOf));
      const [fresh, gone] = [now.difference(lines), lines.difference(now)];
      if (fresh.size > 0)
        log(`Cannot read how full these disks are: ${[...fresh].join(", ")}. The others are reported.`);
      if (gone.size > 0 && now.size === 0) log("All disks can be read again.");
      lines = now;
    },
  };
};
