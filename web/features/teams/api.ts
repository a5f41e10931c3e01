import type { TeamRole } from "../../../src/shared/accounts/teams";
import { api, payload } from "../../api";
import { resource, resourceFamily } from "../../lib/resource";

const one = (id: number | string) => api.teams({ id });

const listTeams = async () => (await payload(api.teams.get())).teams;
export type Team = Awaited<ReturnType<typeof listTeams>>[number];

export const createTeam = async (name: string) => (await payload(api.teams.post({ name }))).team;

/** A team with its members and, for its owners, its invitations. */
const readTeam = async (id: string) => {
  const [details, { members }] = await Promise.all([payload(one(id).get()), payload(one(id).members.get())]);
  const isOwner = details.team.role === "owner";
  const invitations = isOwner ? (await payload(one(id).invitations.get())).invitations : [];
  return { ...details, members, invitations };
};
export type TeamDetails = Awaited<ReturnType<typeof readTeam>>;
export type Member = TeamDetails["members"][number];
export type Invitation = TeamDetails["invitations"][number];

export const renameTeam = (id: number, name: string) => payload(one(id).put({ name }));

export const deleteTeam = (id: number) => payload(one(id).delete());

export const changeMember = (id: number, user: number, role: TeamRole) =>
  payload(one(id).members({ user }).put({ role }));

export const removeMember = (id: number, user: number) => payload(one(id).members({ user }).delete());

export const invite = async (id: number, role: TeamRole, email: string) => {
  const { invitation, token, mailed } = await payload(one(id).invitations.post({ role, email }));
  return { ...invitation, token, mailed };
};
export type NewInvitation = Awaited<ReturnType<typeof invite>>;

export const revokeInvitation = (id: number, invitation: number) =>
  payload(one(id).invitations({ invitation }).delete());

export const previewInvitation = (token: string) => payload(api.invitations.preview.post({ token }));

export const acceptInvitation = async (token: string) => (await payload(api.invitations({ token }).accept.post())).team;

export const teamsAtom = resource(listTeams);

export const teamAtom = resourceFamily(readTeam);
