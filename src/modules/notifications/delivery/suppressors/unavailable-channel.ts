import type { Suppressor } from "./suppressor";

/** The channel was deleted or switched off, or is not the owner's to use. */
export const unavailableChannel: Suppressor = {
  reason: (_, { channel }) => (channel?.enabled ? null : "channel_unavailable"),
  stored: false,
};
