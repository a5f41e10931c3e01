import type { ReactNode } from "react";
import { Icon } from "../controls/icon";

export type Tone = "up" | "down" | "pending" | "paused";

/** A state as a shape and a word; its colour only helps. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`status ${tone}`}>
      <Icon name={tone} />
      {children}
    </span>
  );
}
