import type { Part } from "../operation";
import { id, list, nullable, object, oneOf, ref, success, text, time, whole } from "../schema";

const SCOPES = ["read", "full"] as const;
const renewed = text(
  "Of one's own account: a token in place of the one that has ended.",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
);
const key = {
  id: id("The key's id.", 4),
  name: text("What it is for.", "Backup script"),
  scope: oneOf("Whether it may only read.", SCOPES),
  created_at: time("When it was made."),
  expires_at: nullable(time("When it ends; null for never.")),
};

export const users: Part = {
  tag: "Users and keys",
  description: "Other people's accounts, for administrators, and one's own API keys.",
  schemas: {
    ApiKey: object({ ...key, last_used_at: nullable(time("When it was last used, to the minute; null before that.")) }),
  },
  operations: {
    "GET /api/users": {
      id: "listUsers",
      summary: "List users",
      access: "admin",
      fields: { limit: "The most to answer: 1,000 unless given.", offset: "How many of the first to leave out." },
      answer: {
        description: "A page of users, in the order in which they registered.",
        schema: success({ total: whole("How many users there are.", 3), users: list(ref("User")) }),
      },
    },
    "POST /api/users": {
      id: "createUser",
      summary: "Make a user",
      access: "admin",
      fields: {
        username: "1 to 64 characters, unique whatever the case.",
        password: "8 to 256 characters.",
        email: "Where mail reaches the user; may be left out.",
        role: "`user` unless said.",
      },
      body: { username: "bob", password: "correct horse battery", email: "bob@example.com", role: "user" },
      answer: {
        status: 201,
        description: "The user is made.",
        schema: success({ message: text("What was done.", "The user is made."), user: ref("User") }),
      },
      refusals: [
        "session_required",
        "username_not_allowed",
        "weak_password",
        "username_taken",
        "email_taken",
        "rate_limited",
      ],
    },
    "GET /api/users/{id}": {
      id: "getUser",
      summary: "Read a user",
      description: "Oneself, or anybody for an administrator.",
      access: "user",
      fields: { id: "The user's id." },
      answer: {
        description: "The user, and how much would be deleted together with them.",
        schema: success({
          user: ref("User"),
          owns: object({
            monitors: whole("How many monitors.", 3),
            agents: whole("How many servers.", 1),
            channels: whole("How many channels.", 2),
          }),
        }),
      },
    },
    "PUT /api/users/{id}": {
      id: "updateUser",
      summary: "Change a user",
      description:
        "Oneself, or anybody for an administrator. Fields that are left out stay as they are. Changing one's own username or email needs the current password. Another role ends the user's sessions.",
      access: "session",
      fields: {
        id: "The user's id.",
        username: "1 to 64 characters, unique whatever the case.",
        email: "Empty or null for none.",
        role: "For administrators to give.",
        currentPassword: "Needed to change one's own username or email.",
        current_password: "Another name of currentPassword.",
      },
      body: { username: "bob", email: "bob@example.com" },
      answer: {
        description: "The user is changed.",
        schema: {
          ...success({ message: text("What was done.", "The user is saved."), user: ref("User"), token: renewed }),
          required: ["success", "message", "user"],
        },
      },
      refusals: [
        "session_required",
        "forbidden",
        "username_not_allowed",
        "username_taken",
        "email_taken",
        "last_admin",
        "wrong_password",
        "rate_limited",
      ],
    },
    "DELETE /api/users/{id}": {
      id: "deleteUser",
      summary: "Delete a user",
      description:
        "Everything that is theirs goes with them: monitors, servers, channels, keys, the status page, and all that was recorded.",
      access: "admin",
      fields: { id: "The user's id." },
      answer: { description: "The user is gone.", schema: success() },
      refusals: ["session_required", "cannot_delete_self", "last_admin"],
    },
    "POST /api/users/{id}/change-password": {
      id: "changePassword",
      summary: "Change a password",
      description:
        "One's own with the current one, or anybody's for an administrator. All other sessions of the user end.",
      access: "session",
      fields: {
        id: "The user's id.",
        currentPassword: "One's own password as it is; an administrator who sets another user's leaves it out.",
        current_password: "The same as currentPassword.",
        newPassword: "8 to 256 characters.",
        new_password: "The same as newPassword.",
      },
      body: { currentPassword: "correct horse battery", newPassword: "a staple and more" },
      answer: {
        description: "The password is changed.",
        schema: {
          ...success({
            message: text("What was done.", "The password is changed. All other sessions have ended."),
            token: renewed,
          }),
          required: ["success", "message"],
        },
      },
      refusals: ["wrong_password", "weak_password", "rate_limited"],
    },
    "GET /api/keys": {
      id: "listKeys",
      summary: "List API keys",
      description: "One's own, newest first, without the keys themselves.",
      access: "session",
      answer: { description: "The keys.", schema: success({ keys: list(ref("ApiKey")) }) },
    },
    "POST /api/keys": {
      id: "createKey",
      summary: "Make an API key",
      description:
        "The key itself is shown only now. It is good until it is revoked or expires, also when the password changes. No key changes users, keys, enrollment tokens, channels or who may register, and a `read` key sees no header values, bodies, and secrets in addresses of monitors.",
      access: "session",
      fields: {
        name: "What it is for.",
        scope: "`read` for GET only, `full` for everything that a session may do but those.",
        expires_in_days:
          "How many days it is good for; null or left out for ever. Afterwards it is listed for 30 days.",
      },
      body: { name: "Backup script", scope: "read" },
      answer: {
        status: 201,
        description: "The key is made.",
        schema: success({ key: text("The key, for the Authorization header.", "wk_…"), data: object(key) }),
      },
      refusals: ["quota_reached"],
    },
    "DELETE /api/keys/{id}": {
      id: "deleteKey",
      summary: "Revoke an API key",
      access: "session",
      fields: { id: "The key's id." },
      answer: { description: "The key is no good any more.", schema: success() },
    },
  },
};
