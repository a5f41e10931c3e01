/** Why no channel is notified of an event: each reason has its words once, for the API and all screens. */
import type { Language } from "../language";
import { unsentReasons as english } from "../words/en-US/unsent";
import { unsentReasons as chinese } from "../words/zh-CN/unsent";

export type UnsentReason = keyof typeof english;
export const UNSENT_REASONS = Object.keys(english) as [UnsentReason, ...UnsentReason[]];

/** Whether a message may still follow. */
export const isUndecided = (reason: UnsentReason): boolean => reason === "undecided" || reason === "awaiting_parents";

/** Renders why no channel is notified, in lower case where the language has it. */
export const unsentText = (reason: UnsentReason, language: Language): string =>
  (language === "zh-CN" ? chinese : english)[reason];
