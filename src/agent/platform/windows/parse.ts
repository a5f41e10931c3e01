import type { Counters } from "../../measure/reading";

/** Bytes received and sent out of `netstat -e`: whatever its language, they are the first row with two figures. */
export const parseNetstat = (text: string): Record<string, Counters> => {
  const [, rx, tx] = /^[^\d\r\n]*?\s(\d+)\s+(\d+)\s*$/m.exec(text) ?? [];
  return rx === undefined || tx === undefined ? {} : { all: { rx: Number(rx), tx: Number(tx) } };
};

/** The letters of the machine's own disks, as PowerShell lists them. */
export const parseDrives = (text: string): string[] => [
  ...new Set([...text.matchAll(/^\s*([A-Z]):\s*$/gim)].map(([, letter = ""]) => letter.toUpperCase())),
];
