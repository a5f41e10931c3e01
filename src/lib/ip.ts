/** The eight groups of an IPv6 address, however it was written. */
export const expandIpv6 = (address: string): number[] => {
  const canonical = new URL(`http://[${address.split("%")[0]}]`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const parse = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [before, after] = [parse(head), parse(tail ?? "")];
  return tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill(0), ...after];
};
