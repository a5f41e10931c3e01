import type { NetworkInterfaceInfo } from "node:os";
import { REPORT_LIMITS } from "../../shared/report";

/** Virtual interfaces of container engines and hypervisors. */
const BRIDGES = /^(docker|br-|veth|virbr|cni|flannel|cali|lxcbr|lxdbr|podman|vnet|tap)/;
const LINK_LOCAL = /^fe[89ab]/i;

/** Selects the machine's IP addresses, those of interfaces with a default route first. */
export const selectAddresses = (
  interfaces: Record<string, Pick<NetworkInterfaceInfo, "address" | "internal">[] | undefined>,
  defaultRoutes: string[] = [],
): string[] => {
  const place = (name: string) => (defaultRoutes.includes(name) ? defaultRoutes.indexOf(name) : defaultRoutes.length);
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !BRIDGES.test(name) || defaultRoutes.includes(name))
    .toSorted(([a], [b]) => place(a) - place(b))
    .flatMap(([, found]) => found ?? [])
    .filter(({ address, internal }) => !internal && !LINK_LOCAL.test(address))
    .map(({ address }) => address);
  return [...new Set(addresses)].slice(0, REPORT_LIMITS.addresses);
};
