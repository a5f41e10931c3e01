import type { TeamRole } from "../../../src/shared/accounts/teams";
import type { TargetType } from "../../../src/shared/notifications";
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

/** Something that can be moved to another team. Its team is left out while only one is shown, and for the personal one. */
export type Movable = { type: TargetType | "channel"; id: number; name: string; team?: { id: number } };

const movableRoute = ({ type, id }: Movable) => {
  if (type === "channel") return api.channels({ id });
  return type === "monitor" ? api.monitors({ id }) : api.agents({ id });
};

/** Without `drop`, the move fails with the links that it would end. */
export const moveToTeam = (movable: Movable, team: number, drop: boolean) =>
  payload(movableRoute(movable).move.post({ team, drop }));

/** The user's own channels, and the teams whose alerts they get. */
const readFollows = async () => (await payload(api.notifications.follows.get())).data;

export const saveFollows = (team: number, channels: number[]) =>
  payload(api.notifications.follows({ id: team }).put({ channels }));

const listTeamKeys = async (id: string) => (await payload(one(id).keys.get())).keys;
export type TeamKey = Awaited<ReturnType<typeof listTeamKeys>>[number];

export const revokeKey = (id: number) => payload(api.keys({ id }).delete());

export const followsAtom = resource(readFollows);

export const teamKeysAtom = resourceFamily(listTeamKeys);

export const teamsAtom = resource(listTeams);

export const teamAtom = resourceFamily(readTeam);
