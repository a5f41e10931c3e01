import type { ReactNode } from "react";

/** One step of the guide. With a mark it is another way to do the step before, and has no number of its own. */
export function Step({ title, mark, children }: { title: string; mark?: string; children: ReactNode }) {
  return (
    <li className={mark ? "card step other" : "card step"}>
      <h2 data-mark={mark}>{title}</h2>
      {children}
    </li>
  );
}
