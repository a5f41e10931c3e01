import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, list, object, ok } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { requireSession, signedIn } from "../guard";
import { Quotas, readQuotas } from "../quotas/service";
import { changeMember, listMembers, removeMember, TeamMember } from "./members";
import { memberParams, roleModel, teamModel } from "./model";
import { countOwned, ownedFields } from "./purge";
import { createTeam, deleteTeam, findTeam, listTeams, renameTeam, Team } from "./teams";

const success = true as const;
const idParams = idParam("The team's id.");

/** The teams of a user, and what a team has. */
const reading = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .get("/", async ({ user }) => ({ success, teams: await listTeams(deps, user) }), {
      detail: describe({
        id: "listTeams",
        summary: "List teams",
        description: "Yours, the personal one first.",
        access: "user",
        answer: { description: "The teams.", schema: ok({ teams: list(Team) }) },
      }),
    })
    .get(
      "/:id",
      async ({ user, params: { id } }) => ({
        success,
        team: await findTeam(deps, user, id),
        owns: await countOwned(deps, [id]),
        quotas: await readQuotas(deps, { ...user, teamId: id }),
      }),
      {
        params: idParams,
        detail: describe({
          id: "getTeam",
          summary: "Get a team",
          description: "One of yours; administrators who see all teams may get every team.",
          access: "user",
          answer: {
            description: "The team, how much would be deleted together with it, and its quotas for what you add.",
            schema: ok({ team: Team, owns: object(ownedFields), quotas: Quotas }),
          },
        }),
      },
    )
    .get("/:id/members", async ({ user, params }) => ({ success, members: await listMembers(deps, user, params.id) }), {
      params: idParams,
      detail: describe({
        id: "listMembers",
        summary: "List members",
        description: "The members of a team, by name.",
        access: "user",
        answer: { description: "The members.", schema: ok({ members: list(TeamMember) }) },
      }),
    });

/** Creates, renames and deletes teams. Keys are refused, as they are for users: revoking a key does not undo these changes. */
const changes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .post(
      "/",
      async ({ user, body, status }) => {
        const id = await createTeam(deps, user, body.name);
        const team = await findTeam(deps, { ...user, teams: new Map([[id, "owner"]]) }, id);
        return status(201, { success, team });
      },
      {
        body: teamModel,
        detail: describe({
          id: "createTeam",
          summary: "Create a team",
          description: "You become its owner. Users own at most QUOTA_TEAMS teams besides their personal one.",
          access: "session",
          answer: { status: 201, description: "The team was created.", schema: ok({ team: Team }) },
          refusals: ["too_many_teams"],
        }),
      },
    )
    .put(
      "/:id",
      async ({ user, params, body }) => {
        await renameTeam(deps, user, params.id, body.name);
        return { success, team: await findTeam(deps, user, params.id) };
      },
      {
        params: idParams,
        body: teamModel,
        detail: describe({
          id: "renameTeam",
          summary: "Rename a team",
          description: "For its owners.",
          access: "session",
          answer: { description: "The team was renamed.", schema: ok({ team: Team }) },
          refusals: ["role_insufficient"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteTeam(deps, user, params.id);
        return { success };
      },
      {
        params: idParams,
        detail: describe({
          id: "deleteTeam",
          summary: "Delete a team",
          description:
            "For its owners. All that it owns is deleted, too: monitors, servers, channels, the status page, and their history. A personal team is deleted with its account.",
          access: "session",
          answer: { description: "The team was deleted.", schema: ok() },
          refusals: ["role_insufficient", "personal_team"],
        }),
      },
    );

/** Changes roles and removes members. */
const membership = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .guard({ params: memberParams })
    .put(
      "/:id/members/:user",
      async ({ user, params: { id: teamId, user: userId }, body: { role } }) => {
        await changeMember(deps, user, { teamId, userId }, role);
        return { success };
      },
      {
        body: roleModel,
        detail: describe({
          id: "changeMember",
          summary: "Change a member's role",
          description:
            "For owners of the team. It always has one, and the user of a personal team stays an owner of it.",
          access: "session",
          answer: { description: "The member has the role now.", schema: ok() },
          refusals: ["role_insufficient", "last_owner", "personal_team"],
        }),
      },
    )
    .delete(
      "/:id/members/:user",
      async ({ user, params: { id: teamId, user: userId } }) => {
        await removeMember(deps, user, { teamId, userId });
        return { success };
      },
      {
        detail: describe({
          id: "removeMember",
          summary: "Remove a member, or leave",
          description:
            "Owners remove members; everyone may leave, except the last owner. An owner takes over what the member made for the team. Their invitations and enrollment tokens for it are revoked.",
          access: "session",
          answer: { description: "They are no member any more.", schema: ok() },
          refusals: ["role_insufficient", "last_owner", "personal_team"],
        }),
      },
    );

export const teamRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/teams", tags: ["Teams"] }).use(reading(deps)).use(changes(deps)).use(membership(deps));
