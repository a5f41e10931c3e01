import type { Part } from "../operation";

export const auth: Part = {
  tag: "Accounts",
  description: "Registration, sign-in, and the current user.",
  schemas: {},
  operations: {},
};
