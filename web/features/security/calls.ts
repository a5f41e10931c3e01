import type { SecurityEventKind } from "../../../src/shared/security-events";
import { api, payload } from "../../api";

export type Entry = Awaited<ReturnType<typeof readSecurityLog>>["entries"][number];
export type Filter = { kind?: SecurityEventKind; before?: number };

export const readSecurityLog = (query: Filter) => payload(api["security-log"].get({ query }));
