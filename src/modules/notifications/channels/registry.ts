import type { ChannelType } from "../../../shared/alerts";
import type { Channel } from "./http";
import { resend } from "./resend";
import { telegram } from "./telegram";

/** Every kind of channel that can be used, by the name that is stored. */
export const channelKinds: Record<ChannelType, Channel> = { telegram, resend };
