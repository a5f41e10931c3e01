import { REPORT_LIMITS } from "../../../shared/agents/report";
import { type Fact, nameOf } from "../figure";

const COMMAND = "systemctl list-units --state=failed --output=json --no-pager --plain --no-legend".split(" ");

/** Parses the list of units: JSON, or lines of versions before 246. Null for what is neither. */
export const parseUnits = (text: string): string[] | null => {
  if (text.trim() === "") return null;
  if (text.trimStart().startsWith("[")) {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows.map((row) => String(Object(row).unit ?? "")).filter(Boolean) : null;
  }
  return text.split("\n").flatMap((line) => /^\W*(\S+\.[a-z]+) +\S+ +failed /.exec(line)?.[1] ?? []);
};

/** The systemd units that failed. */
export const failedUnits: Fact = {
  every: 300,
  open: ({ files, has, output }) =>
    files.exists("/run/systemd/system") && has("systemctl")
      ? async () => {
          const units = parseUnits(await output(COMMAND));
          return units ? { failed_units: units.slice(0, REPORT_LIMITS.units).map(nameOf) } : {};
        }
      : null,
};
