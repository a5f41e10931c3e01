import type { Words } from "../zh-CN";
import type { firstErrors as zhCN } from "../zh-CN/first-errors";

/** The errors that a visitor may see before signing in. The others are in errors.ts. */
export const firstErrors: Words<typeof zhCN> = {
  unknown: "Unknown error",
  code: {
    network: "The server could not be reached. Check your connection and try again.",
    timeout: "The server took too long to answer. Please try again.",
    malformed_json: "The request was malformed",
    unauthorized: "Your session has ended, please sign in again",
    forbidden: "You are not allowed to do this",
    not_found: "This does not exist",
    conflict: "This conflicts with something that already exists",
    too_large: "This is too large",
    validation: "Some fields are not valid, please check them",
    too_many_streams: "Too many pages are open",
    rate_limited: "Too many attempts, please wait a while",
    internal: "Something went wrong on the server, please try again",
    invalid_credentials: "Username or password is incorrect",
    username_taken: "Username already exists",
    email_taken: "Email already exists",
    bad_host: "The request was malformed",
    wrong_host: "Wakeful does not answer at this host name. Use its public address.",
    registration_fixed: "Registration can’t be opened while REGISTRATION=closed is set in the environment",
    setup_code_required: "The first account needs the setup code. You can find it in Wakeful’s startup log.",
    setup_code_wrong: "The setup code is wrong. You can find it in Wakeful’s startup log.",
    registration_closed: "Registration is closed",
    not_logged_in: "User not logged in",
    username_not_allowed: "Use letters, numbers and punctuation of one script, without invisible characters or emoji",
    weak_password:
      "This password is too easy to guess. Choose one that is less common, and not a name, an email address, a season or a month with digits.",
    unavailable: "The database can’t be written right now, please try again soon",
    outage_ended: "This outage has ended.",
    already_acknowledged: "This outage is acknowledged already.",
    link_invalid: "This link is not valid. Open the outage in Wakeful.",
    link_expired: "This link is too old. Open the outage in Wakeful.",
  },
  missing: {
    username: "Enter a username",
    email: "Enter an email address",
    password: "Enter a password",
    confirm: "Enter the password again",
    setup_code: "Enter the setup code",
  },
  missingValue: "This is required",
  invalidValue: "This is not valid",
  field: {
    username: "The username must have 1 to 64 characters",
    email: "Enter a valid email address",
    password: "The password must have 8 to 256 characters",
  },
};
