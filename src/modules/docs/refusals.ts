/** Every refusal: its stable code, the status that goes with it, and when it is given. */
export const REFUSALS = {
  bad_host: [400, "The request has no Host header that could be used, or more than one."],
  malformed_json: [400, "The body is not valid JSON."],
  unauthorized: [401, "Sign in to do this."],
  invalid_credentials: [401, "Username or password is incorrect"],
  token_invalid: [401, "This registration token does not exist. Make a new one in the console."],
  token_expired: [401, "This registration token has expired. Make a new one in the console."],
  token_used: [401, "This registration token was used already. Make a new one in the console."],
  agent_deleted: [401, "This server was deleted in the console."],
  read_only_key: [403, "This API key only reads."],
  session_required: [403, "An API key can't do this: sign in to do it."],
  forbidden: [403, "Only an administrator may do this."],
  setup_code_required: [403, "The first account needs the setup code from the log of the server's start."],
  setup_code_wrong: [403, "The setup code is not right. It is in the log of the start."],
  registration_closed: [403, "Registration is closed here. Ask the administrator for an account."],
  not_found: [404, "This does not exist."],
  no_download: [
    404,
    "This console has no wakeful-linux-amd64. Put the released files into DOWNLOADS_DIR, or set RELEASE_URL to where they are.",
  ],
  username_taken: [409, "Username already exists"],
  email_taken: [409, "Email already exists"],
  registration_fixed: [409, "REGISTRATION=closed in the server's environment keeps registration closed."],
  last_admin: [409, "This is the last administrator: make somebody else one before."],
  cannot_delete_self: [409, "Nobody deletes themself: another administrator can."],
  quota_reached: [409, "The limit of 200 monitors for one user is reached. Delete some, or ask an administrator."],
  check_in_progress: [409, "This monitor is being checked at this moment."],
  monitor_paused: [409, "This monitor was paused while it was being checked."],
  conflict: [409, "There is no address left for this page."],
  wrong_host: [421, "This host name is not the one in PUBLIC_URL. Use that address."],
  too_large: [413, "The body is larger than 1 MiB."],
  validation: [422, "Some fields are not acceptable: name: expected a name of 1 to 200 characters."],
  invalid_id: [422, "An id is a whole number above zero."],
  username_not_allowed: [
    422,
    "A username has letters, numbers and punctuation of one script, and no invisible characters or symbols.",
  ],
  weak_password: [
    422,
    "This password is too easy to guess: it is a very common one, a single character, or the user's own name or email.",
  ],
  wrong_password: [422, "The current password is not right."],
  rate_limited: [429, "Too many attempts. Try again in 120 seconds."],
  internal: [500, "Something went wrong here. It has been logged."],
  provider_refused: [502, "The provider said: 401: Unauthorized"],
  hub_unavailable: [
    503,
    "Wakeful itself can't make this request now: the name servers of this machine do not answer. No result was recorded.",
  ],
  unavailable: [503, "The database can't be written now. Try again soon."],
} as const satisfies Record<string, readonly [number, string]>;

export type Code = keyof typeof REFUSALS;

/** A refusal as it is answered. */
export const refusalExample = (code: Code) => ({
  success: false,
  code,
  message: REFUSALS[code][1],
  ...(code === "validation" && {
    errors: [{ path: "name", message: "name: expected a name of 1 to 200 characters" }],
  }),
  ...(code === "quota_reached" && { quota: "monitors", limit: 200 }),
});
