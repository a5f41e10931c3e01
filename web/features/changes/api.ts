import { api, payload } from "../../api";

type Page = Awaited<ReturnType<typeof readChanges>>;
export type Change = Page["changes"][number];

/** `object` is an object or a kind of object, as in the API; several with commas. */
export type Filter = { object?: string; user?: string; before?: number; limit?: number };

/** A page of the changes that the viewer sees, the latest first. */
export const readChanges = (query: Filter) => payload(api.audit.get({ query }));
