import { useTranslation } from "react-i18next";
import { Badge, type Tone } from "./badge";

const known = ["up", "down", "pending", "paused"] as const satisfies readonly Tone[];
export type Status = (typeof known)[number];

/** The status for a badge; an unknown one counts as pending. */
export const toStatus = (status: string | null | undefined): Status =>
  known.find((name) => name === status) ?? "pending";

export function StatusBadge({
  status,
  words = "common.status",
}: {
  status: Status;
  words?: "common.status" | "monitors.detail.status";
}) {
  const { t } = useTranslation();
  return <Badge tone={status}>{t(`${words}.${status}`)}</Badge>;
}
