/** Why a message was not delivered. Codes never change once released. */
export const deliveryWords = {
  /** `reply` is what the provider answered. */
  errors: {
    rejected: "{status}: {reply}",
    rate_limited: "{status}: {reply}",
    redirected: "{status}: redirects are not followed",
    timeout: "no answer within {seconds} s",
    dns_not_found: "no answer: the name of the provider could not be resolved",
    no_answer: "no answer: {cause}",
    blocked_private: "blocked: the address is private or this machine's own, and only administrators may use those",
    blocked_by_setting: "blocked: the address is private or this machine's own, and PRIVATE_TARGETS=none allows none",
    unsupported_type: "channels of the type {type} are not supported",
    channel_deleted: "the channel was deleted",
    channel_unavailable: "the channel is gone or switched off",
    report_unavailable: "what the report is about was deleted",
    rule_disabled: "the notification rule is switched off",
    not_selected: "the notification rule does not select this event",
    muted: "it was muted",
    recovered: "the outage ended before the message was sent",
    explained: "the outage of something it depends on explains it",
    flapping: "flapping: alerted once it is stable",
    quiet_hours: "these are quiet hours",
    acknowledged: "the outage is acknowledged",
    not_notified: "the channel was not notified of the outage",
    superseded: "a later message of the outage was sent instead",
  },
  noReason: "no reason given",
} as const;
