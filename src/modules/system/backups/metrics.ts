import { family, type ReadFamilies } from "../../../core/prometheus";
import { SECOND } from "../../../shared/limits";
import { readBackupAge, readBackupState } from "./nightly";

/** Metrics of backups, for administrators. */
export const backupFamilies: ReadFamilies = async (deps, viewer) => {
  if (viewer.role !== "admin") return [];
  const [age, state] = [await readBackupAge(deps), await readBackupState(deps)];
  return [
    ...(age === null
      ? []
      : [family("wakeful_backup_age_seconds", "gauge", "Time since the last backup that Wakeful made.", age / SECOND)]),
    family(
      "wakeful_backups_failing",
      "gauge",
      "Whether the last nightly backup failed (1) or not (0).",
      state?.problem ? 1 : 0,
    ),
  ];
};
