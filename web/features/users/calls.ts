import { api, payload } from "../../api";
import { allPages } from "../../lib/all-pages";
import type { AccountBody, NewUserBody } from "./user-body";

export type User = Awaited<ReturnType<typeof listUsers>>["users"][number];
export type Owns = Awaited<ReturnType<typeof findUser>>["owns"];

const one = (id: number | string) => api.users({ id });

export const listUsers = async () => {
  const page = (offset: number) => payload(api.users.get({ query: { offset } }));
  const { first, items } = await allPages(page, ({ users }) => users);
  return { ...first, users: items };
};

export const findUser = (id: number | string) => payload(one(id).get());

export const createUser = (body: NewUserBody) => payload(api.users.post(body));

export const updateUser = (id: number | string, body: AccountBody) => payload(one(id).put(body));

export const deleteUser = (id: number | string) => payload(one(id).delete());

/** Sets the password of another user, which does not require the old one. */
export const resetPassword = (id: number | string, newPassword: string) =>
  payload(one(id)["change-password"].post({ newPassword }));

export const registration = () => payload(api.auth.registration.get());

export const setRegistration = (open: boolean) => payload(api.auth.registration.put({ open }));
