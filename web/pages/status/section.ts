import type { ComponentType } from "react";
import type { StatusHistory } from "../../../src/modules/status-page/history/history";
import type { PublicIncident } from "../../../src/modules/status-page/incidents/present";
import type { StatusData } from "../../../src/modules/status-page/publish";

/** A page, or one of its incidents with all updates, or a part of its history. */
export type PageData = StatusData & { incident?: PublicIncident; history?: StatusHistory };

/** `readAt` is when the data was read, in ms since 1970; `feed` is the address of the page's feed, and `path` its own. */
export type SectionProps = { page: PageData; readAt: number; feed: string; path: string };

/** One part of the page. The hub's section of the same key reads its part of the answer. */
export type Section = { key: string; draw: ComponentType<SectionProps> };
