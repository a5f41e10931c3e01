import type { ReactNode } from "react";

/** An address in a text: only http and https are followed. Signs that end a sentence are no part of it. */
const ADDRESS = /https?:\/\/[^\s<>"'`{}|\\^\p{Script=Han}，。；：、！？（）《》“”‘’]+/giu;

/** The address without what follows it in a sentence: a closing bracket stays where it was opened in the address. */
const trimmed = (address: string): string => {
  let text = address;
  for (;;) {
    const last = text.at(-1) ?? "";
    const isUnopened = (last === ")" && !text.includes("(")) || (last === "]" && !text.includes("["));
    if (!".,;:!?*_~".includes(last) && !isUnopened) return text;
    text = text.slice(0, -1);
  }
};

/** Whether a browser reads a text as an address of a host, without a user name that may pass for one. */
const isSafe = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  return (protocol === "http:" || protocol === "https:") && hostname !== "" && username + password === "";
};

/** A text of a person, with its http and https addresses as links. */
export function LinkedText({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimmed(found);
    if (!isSafe(address)) continue;
    parts.push(
      text.slice(end, index),
      <a key={index} href={address} target="_blank" rel="noopener noreferrer">
        {address}
      </a>,
    );
    end = index + address.length;
  }
  return [...parts, text.slice(end)];
}
