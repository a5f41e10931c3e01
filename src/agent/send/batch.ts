import { version } from "../../build-info";
import { type Identity, REPORT_LIMITS, type Report, type Sample, type UnreadableDisk } from "../../shared/report";

/** Bytes of samples in one report, well below the hub's limit. */
const LARGEST = 900_000;

/** The oldest samples that fit into one report, at least one. */
export const fitToBody = (samples: Sample[], count: number, largest = LARGEST): Sample[] => {
  let size = 0;
  const end = samples.findIndex((sample, index) => {
    size += Buffer.byteLength(JSON.stringify(sample)) + 1;
    return index > 0 && (index >= Math.min(count, REPORT_LIMITS.samples) || size > largest);
  });
  return end === -1 ? samples : samples.slice(0, end);
};

/** A cut must not split a surrogate pair. */
const cut = (text: string): string => text.slice(0, REPORT_LIMITS.text).toWellFormed();

/** The machine's identity, cut to the hub's length limits. */
export const fitIdentity = ({ hostname, ip_addresses, os, version }: Identity): Identity => ({
  hostname: cut(hostname) || "unnamed",
  ip_addresses: ip_addresses.slice(0, REPORT_LIMITS.addresses),
  os: cut(os),
  version: cut(version),
});

/** The part of a report besides its samples. */
export type Facts = Identity & { unreadable_disks: UnreadableDisk[] };

export const reportOf = ({ unreadable_disks, ...identity }: Facts, interval: number, samples: Sample[]): Report => ({
  interval,
  ...fitIdentity(identity),
  agent_version: version,
  unreadable_disks,
  samples,
});
