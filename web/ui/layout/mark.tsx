import { useEffect } from "react";
import { useDownCount } from "./page-title";

const WELL = "#5546d6";
const BROKEN = "#c02a3f";

const LID = "M4.8 17.2C7.6 12 11.5 9.3 16 9.3s8.4 2.7 11.2 7.9";

/**
 * The product's mark, which is red while something is down. Drawn in place: the server renders it too, and knows no address
 * of a built file.
 */
export function Mark() {
  const colour = useDownCount() > 0 ? BROKEN : WELL;
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill={colour} />
      <path d={LID} stroke="#fff" strokeWidth="2.7" strokeLinecap="round" />
      <circle cx="16" cy="19" r="5" fill="#fff" />
      <circle cx="17.7" cy="17.3" r="1.6" fill={colour} />
    </svg>
  );
}

const RED_MARK = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none"><rect width="32" height="32" rx="9" fill="${BROKEN}"/><path d="${LID}" stroke="#fff" stroke-width="2.7" stroke-linecap="round"/><circle cx="16" cy="19" r="5" fill="#fff"/><circle cx="17.7" cy="17.3" r="1.6" fill="${BROKEN}"/></svg>`,
)}`;

/** Shows the red mark in the browser's tab while something is down. */
export function TabIcon() {
  const isDown = useDownCount() > 0;
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link || !isDown) return;
    const { href } = link;
    link.href = RED_MARK;
    return () => {
      link.href = href;
    };
  }, [isDown]);
  return null;
}
