/** Conditions on events and deliveries for statements, by the name or alias that the table has there. */
import { type SQL, sql } from "drizzle-orm";
import { CLOSING_KINDS } from "../../../../shared/notifications";

/** The condition that no provider has got a delivery: it is pending, was never tried, and is not being sent. */
export const isUntried = (table: string): SQL => {
  const row = sql.raw(table);
  return sql`(${row}.state = 'pending' and ${row}.attempts = 0 and ${row}.claimed_by is null)`;
};

/** The condition that an event opens an outage: `isClosing` is false of its kind. */
export const isOpeningEvent = (table: string): SQL => {
  const row = sql.raw(table);
  return sql`${row}.kind not in (${sql.join(
    CLOSING_KINDS.map((kind) => sql`${kind}`),
    sql`, `,
  )})`;
};
