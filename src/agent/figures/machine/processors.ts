import { availableParallelism } from "node:os";
import { attempt } from "../../platform/system";
import type { Fact } from "../figure";

/** The number of processors, which the load average is compared with. */
export const processors: Fact = {
  every: 600,
  open:
    ({ files }) =>
    () => {
      const lines = files.text("/proc/stat")?.match(/^cpu\d+ /gm)?.length;
      const count = lines ?? attempt(availableParallelism, 0);
      return count > 0 ? { processors: count } : {};
    },
};
