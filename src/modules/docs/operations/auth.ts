import { LANGUAGES } from "../../../shared/alerts";
import { SECURITY_EVENTS } from "../../../shared/security-events";
import type { Part } from "../operation";
import { flag, id, list, nullable, object, oneOf, ref, success, text, time, whole } from "../schema";

export const auth: Part = {
  tag: "Accounts",
  description: "Registering, signing in, and who one is.",
  schemas: {
    User: object({
      id: id("The user's id.", 1),
      username: text("Unique, whatever the case.", "alice"),
      email: nullable(text("Where mail reaches them.", "alice@example.com")),
      role: oneOf("What they may do.", ["admin", "user"]),
      created_at: time("When the account was made."),
    }),
    SecurityLogEntry: object({
      id: id("The entry's id.", 18),
      at: time("When it happened."),
      kind: oneOf("What happened.", SECURITY_EVENTS),
      user_id: nullable(whole("The user who acted; null for a caller without a session.", 1)),
      username: text("The user who acted, or the name that was tried.", "alice"),
      address: text("The caller's address.", "192.0.2.1"),
      detail: text(
        "What was acted on, such as another user's name; of rate-limited sign-ins and ended sessions how many.",
        "bob",
      ),
    }),
    Session: object({
      id: text("The session's id.", "2v5oVNGTCWlOM5y8TnX0Jw"),
      user_agent: text("The client's User-Agent header, at most 200 characters.", "Mozilla/5.0 … Firefox/140.0"),
      address: text("The address of the latest request, to the minute.", "192.0.2.1"),
      created_at: time("When the user signed in."),
      last_seen_at: time("When it was last used, to the minute."),
      current: flag("Whether it is the session of this request.", true),
    }),
  },
  operations: {
    "GET /api/auth/registration": {
      id: "getRegistration",
      summary: "Whether anybody may register",
      access: "anybody",
      answer: {
        description: "Whether registration is open, and whether the caller may create the first account.",
        schema: success({
          open: flag("Whether accounts can be made.", true),
          fixed: flag("Whether REGISTRATION=closed in the server's environment keeps registration closed.", false),
          first: flag(
            "Whether the next account becomes the administrator. Told only to callers who need no setup code for it.",
            false,
          ),
        }),
      },
    },
    "PUT /api/auth/registration": {
      id: "setRegistration",
      summary: "Open or close registration",
      access: "admin",
      fields: { open: "Whether anybody may make an account." },
      body: { open: false },
      answer: {
        description: "It is as was sent.",
        schema: success({ open: flag("Whether accounts can be made.", false) }),
      },
      refusals: ["session_required", "registration_fixed"],
    },
    "POST /api/auth/register": {
      id: "register",
      summary: "Make an account",
      description:
        "The first account becomes the administrator. It needs the setup code of the start log, unless the call comes straight from this machine or a private network, through no proxy, and under an IP address, localhost or the host of PUBLIC_URL. Registering does not sign in.",
      access: "anybody",
      fields: {
        username: "1 to 64 characters of one script, unique whatever the case.",
        password: "8 to 256 characters; no common password, and not the username or email.",
        email: "Where mail reaches the user; may be left out.",
        setup_code: "For the first account only.",
      },
      body: { username: "alice", password: "correct horse battery", email: "alice@example.com" },
      answer: {
        status: 201,
        description: "The account is made.",
        schema: success({ message: text("What was done.", "Registered. You can sign in now.") }),
      },
      refusals: [
        "registration_closed",
        "setup_code_required",
        "setup_code_wrong",
        "username_not_allowed",
        "weak_password",
        "username_taken",
        "email_taken",
        "rate_limited",
      ],
    },
    "POST /api/auth/login": {
      id: "login",
      summary: "Sign in",
      description:
        "Starts a session of seven days and gives its token. After ten failures in 15 minutes for one name from one address, further attempts are refused for a while.",
      access: "anybody",
      fields: {
        username: "The user's name, in any case.",
        password: "The user's password.",
        language: "What the user reads the page in: alerts are written in it from now on.",
      },
      body: { username: "alice", password: "correct horse battery" },
      answer: {
        description: "Signed in.",
        schema: success({
          message: text("What was done.", "Signed in."),
          token: text(
            "The session token, for the Authorization header.",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
          ),
          user: ref("User"),
        }),
      },
      refusals: ["invalid_credentials", "rate_limited"],
    },
    "GET /api/security-log": {
      id: "readSecurityLog",
      summary: "Read the security log",
      description:
        "Sign-ins, refused sign-ins, and changes to accounts, keys, enrollment tokens and channels of the last 90 days, the latest first. For administrators. Rate-limited sign-ins of one address within a minute are one entry.",
      access: "session",
      fields: {
        before: "Only entries with a smaller id.",
        limit: "At most so many entries, 1 to 200; 50 unless given.",
        kind: "Only entries of this kind.",
        user: "Only entries with exactly this username.",
      },
      answer: {
        description: "A page of the log.",
        schema: success({
          entries: list(ref("SecurityLogEntry")),
          next: nullable(whole("The `before` of the next page; null on the last one.", 17)),
        }),
      },
      refusals: ["forbidden"],
    },
    "POST /api/auth/logout": {
      id: "logout",
      summary: "Sign out",
      description: "Ends the session of this request. Its token is refused from now on.",
      access: "session",
      answer: { description: "The session has ended.", schema: success() },
    },
    "GET /api/auth/sessions": {
      id: "listSessions",
      summary: "List sessions",
      description:
        "One's own, the one used last first. A user has at most 50: the oldest ends when another one starts.",
      access: "session",
      answer: { description: "The sessions.", schema: success({ sessions: list(ref("Session")) }) },
    },
    "DELETE /api/auth/sessions": {
      id: "endSessions",
      summary: "End all other sessions",
      access: "session",
      fields: { all: "`1` to end the session of this request as well." },
      answer: {
        description: "The sessions have ended.",
        schema: success({ ended: whole("How many sessions ended.", 2) }),
      },
    },
    "DELETE /api/auth/sessions/{id}": {
      id: "endSession",
      summary: "End a session",
      description: "One of one's own sessions, this one or another.",
      access: "session",
      fields: { id: "The session's id." },
      parameters: { id: "2v5oVNGTCWlOM5y8TnX0Jw" },
      answer: { description: "The session has ended.", schema: success() },
    },
    "GET /api/auth/me": {
      id: "getMe",
      summary: "Who is signed in",
      access: "user",
      answer: {
        description: "The user whose session or API key this is.",
        schema: success({ user: ref("User"), language: oneOf("What alerts are written in.", LANGUAGES) }),
      },
    },
    "PUT /api/auth/language": {
      id: "setLanguage",
      summary: "Choose the language of alerts",
      access: "user",
      fields: { language: `One of ${LANGUAGES.join(", ")}.` },
      body: { language: "en-US" },
      answer: { description: "Alerts are written in it from now on.", schema: success() },
    },
  },
};
