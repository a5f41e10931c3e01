import type { Fact } from "../figure";

/** Left by the package manager when an update takes effect at the next start only. */
const MARKS = ["/run/reboot-required", "/run/reboot-needed"];
/** Systems whose package manager leaves one. */
const SYSTEMS = ["/etc/debian_version", "/etc/SUSE-brand"];

/** Whether an update waits for a restart of the machine; absent on systems that do not say so. */
export const rebootRequired: Fact = {
  every: 60,
  open: ({ files, host }) => {
    const isSupported = SYSTEMS.some((path) => files.exists(host + path));
    return () => {
      const required = MARKS.some((path) => files.exists(host + path));
      return required || isSupported ? { reboot_required: required } : {};
    };
  },
};
