import type { Counters } from "../../measure/reading";

/** Parses bytes received and sent from `netstat -e`. In any language they are the first row with two numbers. */
export const parseNetstat = (text: string): Record<string, Counters> => {
  const [, rx, tx] = /^[^\d\r\n]*?\s(\d+)\s+(\d+)\s*$/m.exec(text) ?? [];
  return rx === undefined || tx === undefined ? {} : { all: { rx: Number(rx), tx: Number(tx) } };
};

/** Parses the drive letters of local disks from PowerShell's list. */
export const parseDrives = (text: string): string[] => [
  ...new Set([...text.matchAll(/^\s*([A-Z]):\s*$/gim)].map(([, letter = ""]) => letter.toUpperCase())),
];
