import type { TFunction } from "i18next";
import type { ComponentType } from "react";
import type { PublicMonitor } from "../../../../src/modules/status-page/sections/monitors";
import type { ComponentStatus } from "../../../../src/shared/status/components";
import type { PageData, Section } from "../section";

export type Mark = NonNullable<PublicMonitor["incidents"]>[number];

export type StatedItem = { component_status?: ComponentStatus; measured_status?: ComponentStatus };

/** The sections above and below the services, and the sections of the page of an incident or of the history. */
type IncidentSections = {
  open: Section[];
  past: Section[];
  single: Section[];
  /** The state that an open incident gives to an item, with the measured one in previews. */
  Stated?: ComponentType<{ item: StatedItem }>;
  /** The incidents above the bar of an item. */
  Marks?: ComponentType<{ marks: readonly Mark[]; days: PublicMonitor["days"] }>;
  /** The note of the banner that only incidents give a state, because nothing can be measured. */
  Paused?: ComponentType<{ since: string }>;
  /** The title of the page of an incident or of the history. */
  titleOf?: (page: PageData, t: TFunction) => string | undefined;
};
export const incidentSections: IncidentSections = { open: [], past: [], single: [] };
