import type { Part } from "../operation";

export const users: Part = {
  tag: "Users and keys",
  description: "User accounts, for administrators, and your own API keys.",
  schemas: {},
  operations: {},
};
