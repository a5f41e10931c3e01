import { resource, resourceFamily } from "../../lib/resource";
import { findUser, listUsers, registration } from "./calls";

export const usersAtom = resource(listUsers);

export const userAtom = resourceFamily((id: string) => findUser(id));

export const registrationAtom = resource(registration);
