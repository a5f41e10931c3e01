/** Two people who change one policy or template: the second does not overwrite what the first has stored since. */
import { Type } from "@sinclair/typebox";
import { AppError } from "../../core/errors";
import { isoTime } from "../../lib/time";
import { field } from "../../server/schema";

/** The field of a request with the version that it changes. */
export const versionOf = (what: string) =>
  field(
    Type.String({ maxLength: 40 }),
    `The \`updated_at\` of the ${what} that this changes: if another one was stored since, nothing is saved, and the answer is \`rule_changed\`.`,
  );

/**
 * Asserts that a stored row is of the version that a request changes, if it names one.
 * @throws {AppError} rule_changed with the stored values
 */
export const requireVersion = async (
  { updatedAt }: { updatedAt: number },
  version: string | undefined,
  readCurrent: () => Promise<object | undefined>,
): Promise<void> => {
  if (version === undefined || Date.parse(version) === updatedAt) return;
  throw new AppError("rule_changed", {}, { current: { ...(await readCurrent()), version: isoTime(updatedAt) } });
};
