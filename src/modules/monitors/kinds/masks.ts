/** Secrets that are hidden from a viewer, and masks that are sent back. */
import { validation } from "../../../core/errors";
import { seesSecrets, type Viewer } from "../../../db/owner";
import { MASK, maskUrl, maskValue } from "../../../shared/mask";
import type { StoredMonitor } from "../model";
import type { AnyKind, Config } from "./kind";
import { kindOf } from "./registry";

/** Which secrets are masked for a viewer: `reads` without the right to change the monitor, `foreign` outside of its team. */
type Blinds = { reads: boolean; foreign: boolean };

export const blindsOf = (viewer: Viewer, row: Pick<StoredMonitor, "teamId">): Blinds => ({
  reads: !seesSecrets(viewer, row),
  foreign: !viewer.teams.has(row.teamId),
});

/** Masks the fields of a monitor that a viewer may not read. */
const maskConfig = ({ fields }: AnyKind, config: Config, { reads, foreign }: Blinds): Config => {
  if (!reads && !foreign) return config;
  const masked = { ...config };
  for (const { name, type, secret } of fields) {
    // Large fields are missing in lists.
    if (secret && masked[name] !== undefined && (reads || secret === "others"))
      masked[name] = type === "address" ? maskUrl(String(masked[name])) : maskValue(masked[name]);
  }
  return masked;
};

type Masked = Pick<StoredMonitor, "kind" | "config"> & { target: string };

/** The settings and the target of a monitor, masked for a viewer. */
export const maskedFor = (
  viewer: Blinds,
  { kind: name, config, target }: Masked,
): Pick<Masked, "config" | "target"> => {
  if (!viewer.reads && !viewer.foreign) return { config, target };
  const kind = kindOf(name);
  const masked = kind ? maskConfig(kind, config, viewer) : config;
  return { config: masked, target: kind?.target(masked) ?? "" };
};

/**
 * A monitor as a user who may change it reads it: an administrator who is not its owner reads masks. They stand for the
 * stored values when they are sent back.
 */
export const shownTo = ({ teams }: Pick<Viewer, "teams">, monitor: StoredMonitor): StoredMonitor => {
  const kind = teams.has(monitor.teamId) ? undefined : kindOf(monitor.kind);
  return kind ? { ...monitor, config: maskConfig(kind, monitor.config, { reads: false, foreign: true }) } : monitor;
};

/** Replaces a mask by the stored value: in a text, or in a record of texts. */
const unmaskValue = (sent: unknown, stored: unknown, keep: (name: string, stored: string | undefined) => string) => {
  if (sent === MASK) return keep("this value", stored as string | undefined);
  if (typeof sent !== "object" || sent === null) return sent;
  const storedByName = new Map(
    Object.entries(stored ?? {}).map(([name, value]) => [name.toLowerCase(), value as string]),
  );
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      value === MASK ? keep(name, storedByName.get(name.toLowerCase())) : value,
    ]),
  );
};

/**
 * Replaces the masks in the fields that were sent by the stored values. A mask stands for a value only while the
 * destination stays the same: otherwise a viewer who may not read the value could send it to another server.
 * @throws {AppError} validation, for a mask without a stored value or with another destination
 */
export const unmaskConfig = (
  { fields, destination, flat }: AnyKind,
  config: Config,
  stored: Config | undefined,
): Config => {
  const unmasked = { ...config };
  for (const { name: field, secret } of fields) {
    if (secret !== "others") continue;
    const path = flat ? field : `config.${field}`;
    const refuse = (message: string) => validation([{ path, message: `${path}: ${message}` }]);
    unmasked[field] = unmaskValue(config[field], stored?.[field], (name, kept) => {
      if (kept === undefined) throw refuse(`${name} is masked, and no value of it is stored`);
      if (stored && destination && destination(stored) !== destination(config))
        throw refuse(`the hidden value of ${name} is not sent to another address: enter it again, or remove it`);
      return kept;
    });
  }
  return unmasked;
};
