import { muted } from "./muted";
import { notSelected } from "./not-selected";
import type { Suppressor } from "./suppressor";
import { unavailableChannel } from "./unavailable-channel";

/** Asked in this order for each event and channel; the first reason counts. */
export const suppressors: readonly Suppressor[] = [muted, notSelected, unavailableChannel];
