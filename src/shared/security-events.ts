/** Kinds of security events. Refusals and failures are logged as warnings, the rest as information. */
export const SECURITY_EVENTS = [
  "signed_in",
  "sign_in_failed",
  "sign_in_refused",
  "signed_out",
  "sessions_ended",
  "registered",
  "password_changed",
  "password_reset",
  "wrong_password",
  "second_factor_failed",
  "passkey_refused",
  "totp_added",
  "totp_removed",
  "passkey_added",
  "passkey_removed",
  "recovery_codes_renewed",
  "second_factors_reset",
  "name_or_email_changed",
  "email_verified",
  "identity_linked",
  "identity_removed",
  "role_changed",
  "user_created",
  "user_deleted",
  "registration_switched",
  "team_created",
  "team_deleted",
  "member_invited",
  "invitation_accepted",
  "member_changed",
  "member_removed",
  "key_created",
  "key_deleted",
  "enrollment_token_created",
  "enrollment_token_deleted",
  "agent_deleted",
  "channel_created",
  "channel_deleted",
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number];

/** Events that unauthenticated callers can cause in any number; the log bounds them separately. */
export const REFUSALS: readonly SecurityEventKind[] = [
  "sign_in_failed",
  "sign_in_refused",
  "wrong_password",
  "second_factor_failed",
  "passkey_refused",
];

/** Stands for the address in the entry that counts rate-limited sign-ins of addresses beyond the first hundred of a minute. */
export const MANY_ADDRESSES = "many addresses";
