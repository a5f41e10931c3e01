import type { User } from "./calls";

type Found = Pick<User, "username" | "email" | "id">;

/** From here on a list is searched rather than read. */
export const manyUsers = 10;

/** Those whose name or address holds what is looked for, in the order of their ids. */
export const selectUsers = <T extends Found>(users: readonly T[], search: string): T[] => {
  const wanted = search.trim().toLowerCase();
  return users
    .filter(({ username, email }) => `${username}\n${email ?? ""}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.id - b.id);
};

/** Whether nobody would be left to administrate without this user. */
export const isLastAdmin = (users: readonly Pick<User, "id" | "role">[], id: number) =>
  users.every((user) => (user.role === "admin") === (user.id === id));
