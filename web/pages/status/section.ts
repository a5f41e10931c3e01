import type { ComponentType } from "react";
import type { PublicIncident } from "../../../src/modules/status-page/incidents/present";
import type { StatusData } from "../../../src/modules/status-page/publish";

/** `readAt` is when the data was read, in ms since 1970; `feed` is the address of the page's feed. */
/** A page, or one of its incidents with all updates. */
export type PageData = StatusData & { incident?: PublicIncident };

export type SectionProps = { page: PageData; readAt: number; feed: string };

/** One part of the page. The hub's section of the same key reads its part of the answer. */
export type Section = { key: string; draw: ComponentType<SectionProps> };
