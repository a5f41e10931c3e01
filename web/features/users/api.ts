import { api, payload } from "../../api";
import { raw, text } from "../../lib/form";
import { allPages, resource, resourceFamily } from "../../lib/resource";
import { withProof } from "../../ui/proof/with-proof";

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

export type Role = "admin" | "user";
export type AccountBody = { username: string; email: string; role: Role };
type NewUserBody = AccountBody & { password: string };

export const roles = ["user", "admin"] as const satisfies readonly Role[];

/** Every role but `admin` counts as `user`. A disabled field is not in the form, so the current role is used. */
const toRole = (form: FormData, current: string): Role =>
  (text(form, "role") || current) === "admin" ? "admin" : "user";

export const toAccountBody = (form: FormData, current = "user"): AccountBody => ({
  username: text(form, "username"),
  email: text(form, "email"),
  role: toRole(form, current),
});

export const toNewUserBody = (form: FormData): NewUserBody => ({
  ...toAccountBody(form),
  password: raw(form, "password"),
});

export type User = Awaited<ReturnType<typeof listUsers>>["users"][number];
export type Owns = Awaited<ReturnType<typeof findUser>>["owns"];

const one = (id: number | string) => api.users({ id });

const listUsers = async () => {
  const page = (offset: number) => payload(api.users.get({ query: { offset } }));
  const { first, items } = await allPages(page, ({ users }) => users);
  return { ...first, users: items };
};

export const findUser = (id: number | string) => payload(one(id).get());

export const createUser = (body: NewUserBody) => withProof(() => payload(api.users.post(body)));

export const updateUser = (id: number | string, body: AccountBody) => withProof(() => payload(one(id).put(body)));

export const deleteUser = (id: number | string) => withProof(() => payload(one(id).delete()));

export const resetFactors = (id: number | string) => withProof(() => payload(one(id)["second-factors"].delete()));

/** Sets the password of another user, which does not require the old one. */
export const resetPassword = (id: number | string, newPassword: string) =>
  withProof(() => payload(one(id)["change-password"].post({ newPassword })));

export const setRegistration = (open: boolean) => payload(api.auth.registration.put({ open }));

export const usersAtom = resource(listUsers);

export const userAtom = resourceFamily((id: string) => findUser(id));
