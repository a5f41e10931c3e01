import type { User } from "./calls";

type Found = Pick<User, "username" | "email" | "id">;

/** Longer lists have a search field. */
export const SEARCH_ABOVE = 10;

/** The users whose name or email contains the search text, in the order of their ids. */
export const selectUsers = <T extends Found>(users: readonly T[], search: string): T[] => {
  const needle = search.trim().toLowerCase();
  return users
    .filter(({ username, email }) => `${username}\n${email ?? ""}`.toLowerCase().includes(needle))
    .toSorted((a, b) => a.id - b.id);
};

/** Whether the user is the only administrator. */
export const isLastAdmin = (users: readonly Pick<User, "id" | "role">[], id: number) =>
  users.every((user) => (user.role === "admin") === (user.id === id));
