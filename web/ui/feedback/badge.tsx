import type { ReactNode } from "react";
import { Icon } from "../controls/icon";

export type Tone = "up" | "down" | "pending" | "paused";

/** A state as an icon and a word, so that it does not depend on colour. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`status ${tone}`}>
      <Icon name={tone} />
      {children}
    </span>
  );
}
