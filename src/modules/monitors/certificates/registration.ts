import { list, nullable, object, text, time } from "../../../server/answers";

/** The registration of a domain in answers. */
export const RegistrationAnswer = object({
  name: text("The registered domain, in ASCII.", "example.com"),
  registrar: nullable(text("The registrar; null where it is not published.", "Example Registrar, Inc.")),
  registered_at: nullable(time("When it was registered; null where that is not published.")),
  expires_at: nullable(time("When it expires; null where that is not published.", "2027-01-29T00:00:00.000Z")),
  statuses: list(text("A status, as RDAP names it.", "client transfer prohibited"), "Its statuses, at most 20."),
  asked_at: time("When the registry was asked."),
});
