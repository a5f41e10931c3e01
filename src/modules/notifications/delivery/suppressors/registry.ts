import { muted } from "./muted";
import { notSelected } from "./not-selected";
import type { Suppressor } from "./suppressor";
import { unavailableChannel } from "./unavailable-channel";

/** Applied in this order to each event and channel; the first reason is used. */
export const suppressors: readonly Suppressor[] = [muted, notSelected, unavailableChannel];
