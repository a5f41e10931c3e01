import type { ComponentType } from "react";
import type { ComponentStatus } from "../../../../src/shared/status/components";
import type { Section } from "../section";

/** The sections above and below the services, and the only one of the page of an incident. */
type IncidentSections = {
  open: Section[];
  past: Section[];
  single: Section[];
  /** The state that an open incident gives to an item. */
  Stated?: ComponentType<{ status: ComponentStatus }>;
};
export const incidentSections: IncidentSections = { open: [], past: [], single: [] };
