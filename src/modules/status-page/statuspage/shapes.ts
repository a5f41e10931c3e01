/** Statuspage's public JSON, version 2: https://metastatuspage.com/api/v2. Clients rely on every field. */
import type { ComponentStatus } from "../../../shared/status/components";

export type StatuspageComponent = {
  id: string;
  name: string;
  status: ComponentStatus;
  created_at: string;
  updated_at: string;
  position: number;
  description: string | null;
  showcase: boolean;
  start_date: string | null;
  group_id: string | null;
  page_id: string;
  group: boolean;
  only_show_if_degraded: boolean;
  /** The ids of the components in a group. */
  components?: string[];
};

export type Impact = "none" | "maintenance" | "minor" | "major" | "critical";

type Update<Status> = {
  id: string;
  status: Status;
  body: string;
  incident_id: string;
  created_at: string;
  updated_at: string;
  display_at: string;
  affected_components:
    | { code: string; name: string; old_status: ComponentStatus; new_status: ComponentStatus }[]
    | null;
  deliver_notifications: boolean;
};

type Entry<Status> = {
  id: string;
  name: string;
  status: Status;
  created_at: string;
  updated_at: string;
  monitoring_at: string | null;
  resolved_at: string | null;
  impact: Impact;
  shortlink: string;
  started_at: string;
  page_id: string;
  incident_updates: Update<Status>[];
  components: StatuspageComponent[];
};

export type StatuspageIncident = Entry<"investigating" | "identified" | "monitoring" | "resolved">;
export type StatuspageMaintenance = Entry<"scheduled" | "in_progress" | "verifying" | "completed"> & {
  scheduled_for: string;
  scheduled_until: string;
};

export type StatuspageStatus = { indicator: Impact; description: string };
