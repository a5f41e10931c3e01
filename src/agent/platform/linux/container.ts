import type { Usage } from "../../../shared/report";
import type { CpuUsage } from "../../measure/reading";
import { parseContainerCpu } from "./cpu";
import type { Files } from "./files";
import { parseContainerMemory } from "./memory";

const MARKS = ["/run/systemd/container", "/.dockerenv", "/run/.containerenv"];

export const isContainer = (files: Files): boolean => MARKS.some(files.exists);

/** Whether this is a container with its own cgroup accounting, where /proc describes the host. */
export const hasOwnAccounts = (files: Files): boolean =>
  isContainer(files) && files.exists("/sys/fs/cgroup/memory.current") && files.exists("/sys/fs/cgroup/cpu.stat");

export const readContainerCpu = (files: Files, processors: number): CpuUsage | null =>
  parseContainerCpu(files.text("/sys/fs/cgroup/cpu.stat") ?? "", files.text("/sys/fs/cgroup/cpu.max"), processors);

export const readContainerMemory = (files: Files, machineTotal: number): Usage | null =>
  parseContainerMemory(
    {
      current: files.text("/sys/fs/cgroup/memory.current") ?? "",
      max: files.text("/sys/fs/cgroup/memory.max"),
      stat: files.text("/sys/fs/cgroup/memory.stat") ?? "",
    },
    machineTotal,
  );
