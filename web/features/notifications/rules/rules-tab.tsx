import { type RefObject, useEffect, useRef } from "react";
import { Redirect } from "wouter";
import type { TargetType } from "../../../../src/shared/notifications";
import { paths } from "../../../paths";
import type { Notifications } from "../api";
import { PoliciesPart } from "../policies/policies-part";
import { ThresholdsPart } from "../thresholds/thresholds-part";
import { DefaultCards, Pace } from "./default-cards";
import { Exceptions } from "./exceptions";
import { FirstSteps } from "./first-steps";

/** The parts of the rules that an address may lead to: the earlier names of tabs. */
export const RULE_PARTS = ["global", "policies", "monitors", "agents", "thresholds"] as const;
export type RulePart = (typeof RULE_PARTS)[number];

/** The element of each part; the rules for all are at the top. */
const ELEMENTS: Partial<Record<RulePart, string>> = {
  policies: "policies",
  thresholds: "thresholds",
  monitors: "exceptions",
  agents: "exceptions",
};
const TYPES: Partial<Record<RulePart, TargetType>> = { monitors: "monitor", agents: "agent" };

/** How long the page follows the part that the address leads to, in ms. */
const FOLLOWS = 3000;
const MOVES = ["wheel", "touchstart", "keydown", "pointerdown"] as const;

/** Scrolls to an element, and again while what is loaded above it moves it, until the reader moves the page. */
const useScrollTo = (within: RefObject<HTMLElement | null>, id: string | undefined) =>
  useEffect(() => {
    if (id === undefined || !within.current) return;
    const scroll = () => document.getElementById(id)?.scrollIntoView({ block: "start" });
    const watched = new ResizeObserver(scroll);
    const stop = () => {
      watched.disconnect();
      clearTimeout(timer);
      for (const name of MOVES) removeEventListener(name, stop);
    };
    const timer = setTimeout(stop, FOLLOWS);
    for (const name of MOVES) addEventListener(name, stop, { passive: true });
    scroll();
    watched.observe(within.current);
    return stop;
  }, [within, id]);

type Props = {
  data: Notifications;
  part: RulePart;
  /** The id in the address: a monitor or server. */
  id: number | undefined;
  onPart: (part: RulePart) => void;
  onAddChannel: () => void;
};

/** Who is notified of what: the rules for all, the exceptions, policies and thresholds. */
export function RulesTab({ data, part, id, onPart, onAddChannel }: Props) {
  const tab = useRef<HTMLDivElement>(null);
  useScrollTo(tab, ELEMENTS[part]);
  const type = TYPES[part];
  // A single target has its rule on its own page.
  if (type && id !== undefined)
    return <Redirect to={`${type === "monitor" ? paths.monitor(id) : paths.agent(id)}?tab=alerts`} replace />;
  return (
    <div className="rules-tab" ref={tab}>
      <FirstSteps data={data} onAddChannel={onAddChannel} />
      <DefaultCards data={data} />
      <Exceptions
        of={type}
        onOf={(of) => onPart(of === undefined ? "global" : of === "monitor" ? "monitors" : "agents")}
      />
      <PoliciesPart data={data} />
      <ThresholdsPart addFor={part === "thresholds" ? id : undefined} onAdded={() => onPart("thresholds")} />
      <Pace />
    </div>
  );
}
