/**
 * The answer of a registry about a domain.
 * @see https://www.rfc-editor.org/rfc/rfc9083#section-5.3
 */

import { isoTime } from "../../lib/time";
import { domainNameOf } from "../../shared/domains/domain-name";
import type { Registration } from "../../shared/domains/registration";

const [MAX_STATUSES, MAX_EVENTS, MAX_ENTITIES, MAX_NAME] = [20, 50, 50, 100];
/** No domain was registered before, and none is registered for so long. */
const [EARLIEST, LATEST] = [Date.UTC(1985, 0, 1), Date.UTC(2200, 0, 1)];
const STATUS = /^[a-z][a-z -]{0,59}$/;

type Json = Record<string, unknown>;
const objects = (value: unknown, most: number): Json[] =>
  (Array.isArray(value) ? value.slice(0, most) : []).filter(
    (one): one is Json => typeof one === "object" && one !== null && !Array.isArray(one),
  );

/** When an event of the registration was or will be, in epoch milliseconds; null if it is not stated. */
const timeOf = (events: readonly Json[], action: string): number | null => {
  const event = events.find(({ eventAction }) => String(eventAction).toLowerCase() === action);
  const time = typeof event?.eventDate === "string" ? Date.parse(event.eventDate) : Number.NaN;
  return time >= EARLIEST && time <= LATEST ? time : null;
};

/** A text on one line, without control characters and those that change the direction. */
const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_NAME);

/** The name in a jCard: RFC 7095. */
const nameIn = (card: unknown): string => {
  const properties = Array.isArray(card) && Array.isArray(card[1]) ? card[1].slice(0, MAX_ENTITIES) : [];
  const name = properties.find((property) => Array.isArray(property) && property[0] === "fn")?.[3];
  return typeof name === "string" ? plain(name) : "";
};

const registrarOf = (entities: readonly Json[]): string | null => {
  const registrar = entities.find(({ roles }) => Array.isArray(roles) && roles.includes("registrar"));
  const handle = typeof registrar?.handle === "string" ? plain(registrar.handle) : "";
  return (registrar && nameIn(registrar.vcardArray)) || handle || null;
};

/** Reads the registration of a domain, which is known by its name in ASCII; null for anything else than that. */
export const readRegistration = (answer: unknown, name: string, askedAt: number): Registration | null => {
  const { objectClassName, ldhName, unicodeName, status, events, entities } = Object(answer) as Json;
  const names = [ldhName, unicodeName].flatMap((text) => (typeof text === "string" ? [domainNameOf(text)] : []));
  if (objectClassName !== "domain" || !names.includes(name)) return null;
  const dated = objects(events, MAX_EVENTS);
  const [registeredAt, expiresAt] = [timeOf(dated, "registration"), timeOf(dated, "expiration")];
  const statuses = (Array.isArray(status) ? status : []).map((one) => String(one).toLowerCase());
  return {
    name,
    registrar: registrarOf(objects(entities, MAX_ENTITIES)),
    registered_at: registeredAt === null ? null : isoTime(registeredAt),
    expires_at: expiresAt === null ? null : isoTime(expiresAt),
    statuses: [...new Set(statuses.filter((one) => STATUS.test(one)))].slice(0, MAX_STATUSES),
    asked_at: isoTime(askedAt),
  };
};
