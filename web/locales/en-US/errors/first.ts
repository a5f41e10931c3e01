import type { Words } from "../../zh-CN";
import type { firstErrors as zhCN } from "../../zh-CN/errors/first";

/** The errors of the home page, of signing in and of registering. The others are in screens.ts. */
export const firstErrors: Words<typeof zhCN> = {
  unknown: "Unknown error",
  code: {
    network: "The server could not be reached. Check your connection and try again.",
    timeout: "The server took too long to answer. Please try again.",
    malformed_json: "The request was malformed",
    unauthorized: "Your session has ended, please sign in again",
    forbidden: "You are not allowed to do this",
    not_found: "This does not exist",
    too_large: "This is too large",
    validation: "Some fields are not valid, please check them",
    rate_limited: "Too many attempts, please wait a while",
    internal: "Something went wrong on the server, please try again",
    invalid_credentials: "Username or password is incorrect",
    username_taken: "Username already exists",
    email_taken: "Email already exists",
    bad_host: "The request was malformed",
    wrong_host: "Wakeful does not answer at this host name. Use its public address.",
    setup_code_required: "The first account needs the setup code. You can find it in Wakeful’s startup log.",
    setup_code_wrong: "The setup code is wrong. You can find it in Wakeful’s startup log.",
    registration_closed: "Registration is closed",
    not_logged_in: "User not logged in",
    username_not_allowed: "Use letters, numbers and punctuation of one script, without invisible characters or emoji",
    weak_password:
      "This password is too easy to guess. Choose one that is less common, and not a name, an email address, a season or a month with digits.",
    unavailable: "The database can’t be written right now, please try again soon",
    database_full: "The database can’t be written because its disk is full. Free some space there, then try again.",
    database_read_only: "The database can’t be written because it is read-only. Try again once that has changed.",
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
