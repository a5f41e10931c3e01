import { serverAddress } from "../../../bootstrap";

const [BASE, SKEW, DAMP] = [36, 38, 700];
const [LEAST, MOST] = [1, 26];

const adapt = (delta: number, points: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - LEAST) * MOST) / 2; k += BASE) rest = Math.floor(rest / (BASE - LEAST));
  return k + Math.floor(((BASE - LEAST + 1) * rest) / (rest + SKEW));
};

/** Decodes a label of a domain without its `xn--`. @see https://www.rfc-editor.org/rfc/rfc3492 */
const decode = (label: string): string => {
  const end = label.lastIndexOf("-");
  const points = [...label.slice(0, Math.max(end, 0))].map((letter) => letter.charCodeAt(0));
  let [point, place, bias] = [128, 0, 72];
  let read = end + 1;
  while (read < label.length) {
    const before = place;
    for (let [weight, k] = [1, BASE]; read < label.length; k += BASE) {
      const code = label.charCodeAt(read++);
      const digit = code < 58 ? code - 22 : code - 97;
      place += digit * weight;
      const threshold = Math.min(MOST, Math.max(LEAST, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = points.length + 1;
    bias = adapt(place - before, count, before === 0);
    point += Math.floor(place / count);
    place %= count;
    points.splice(place++, 0, point);
  }
  return String.fromCodePoint(...points);
};

/** A domain with its letters in place of punycode. */
export const readableDomain = (domain: string): string =>
  domain
    .split(".")
    .map((label) => (label.startsWith("xn--") ? decode(label.slice(4)) : label))
    .join(".");

/** The DNS record that leads a domain to the hub: to its name, or to its address where it has no name. */
export const recordOf = (domain: string, hub = serverAddress()): string => {
  const { hostname } = new URL(hub);
  const type = hostname.startsWith("[") ? "AAAA" : /^[\d.]+$/.test(hostname) ? "A" : "CNAME";
  return `${domain}. ${type} ${type === "CNAME" ? `${hostname}.` : hostname.replace(/^\[|\]$/g, "")}`;
};

/** The address of a domain: it is opened by the protocol and at the port of the hub. */
export const addressAt = (domain: string, hub = serverAddress()): string => {
  const { protocol, port } = new URL(hub);
  return `${protocol}//${domain}${port && `:${port}`}/`;
};
