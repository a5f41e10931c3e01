import { Elysia } from "elysia";
import type { Deps } from "../../../../core/deps";
import { boolean, describe, list, ok, text } from "../../../../server/answers";
import { idParam } from "../../../../server/schema";
import { clientAddress } from "../../client-address";
import { requireSession, signedIn } from "../../guard";
import { recordUserAction } from "../../security-log";
import { invitationModel, invitationParams, tokenModel, tokenParams } from "../model";
import { findTeam, Team } from "../teams";
import {
  acceptInvitation,
  Invitation,
  InvitationPreview,
  invite,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from "./service";

const success = true as const;

/** Invitations to a team, for its owners. */
export const invitationRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/teams", tags: ["Teams"] })
    .use(signedIn(deps))
    .derive(requireSession)
    .get(
      "/:id/invitations",
      async ({ user, params }) => ({ success, invitations: await listInvitations(deps, user, params.id) }),
      {
        params: idParam("The team's id."),
        detail: describe({
          id: "listInvitations",
          summary: "List invitations",
          description: "Those to a team that can still be accepted. For its owners.",
          access: "session",
          answer: { description: "The invitations.", schema: ok({ invitations: list(Invitation) }) },
          refusals: ["role_insufficient"],
        }),
      },
    )
    .post(
      "/:id/invitations",
      async ({ user, params, body, status, request, server }) => {
        const made = await invite(deps, user, params.id, body);
        const { name } = await findTeam(deps, user, params.id);
        const { email, role } = made.invitation;
        await recordUserAction(
          deps,
          { user, request, server },
          "member_invited",
          `${name}${email ? `, ${email}` : ""} (${role})`,
        );
        return status(201, { success, ...made });
      },
      {
        params: idParam("The team's id."),
        body: invitationModel,
        detail: describe({
          id: "invite",
          summary: "Invite a member",
          description:
            "Makes a link that works once, within 72 hours: the path `/invitation#` with the token. It is sent by mail where the hub has a mail server and PUBLIC_URL; otherwise pass it on. For owners of the team.",
          access: "session",
          answer: {
            status: 201,
            description: "The invitation was made.",
            schema: ok({
              invitation: Invitation,
              token: text("What follows `#` in the link. It is shown only now.", "4.c2lnbmF0dXJl…"),
              mailed: boolean("Whether the link is sent by mail.", true),
            }),
          },
          refusals: ["role_insufficient", "too_many_invitations", "rate_limited"],
        }),
      },
    )
    .delete(
      "/:id/invitations/:invitation",
      async ({ user, params }) => {
        await revokeInvitation(deps, user, { teamId: params.id, id: params.invitation });
        return { success };
      },
      {
        params: invitationParams,
        detail: describe({
          id: "revokeInvitation",
          summary: "Revoke an invitation",
          description: "Its link does not work any more. For owners of the team.",
          access: "session",
          answer: { description: "The invitation was revoked.", schema: ok() },
          refusals: ["role_insufficient"],
        }),
      },
    );

/** Shows and accepts invitations. A GET changes nothing, because mail scanners open links. */
export const acceptRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/invitations", tags: ["Teams"] })
    .post(
      "/preview",
      async ({ body, request, server }) => ({
        success,
        ...(await previewInvitation(deps, body.token, clientAddress(deps, request, server))),
      }),
      {
        body: tokenModel,
        detail: describe({
          id: "previewInvitation",
          summary: "Read an invitation",
          description: "Who invites to which team. It changes nothing, and needs no account.",
          access: "public",
          answer: { description: "The invitation.", schema: ok(InvitationPreview.properties) },
          refusals: ["invitation_invalid", "rate_limited"],
        }),
      },
    )
    .use(signedIn(deps))
    .derive(requireSession)
    .post(
      "/:token/accept",
      async ({ user, params, request, server }) => {
        const address = clientAddress(deps, request, server);
        const { teamId, role } = await acceptInvitation(deps, user, params.token, address);
        return { success, team: await findTeam(deps, { ...user, teams: new Map([[teamId, role]]) }, teamId) };
      },
      {
        params: tokenParams,
        detail: describe({
          id: "acceptInvitation",
          summary: "Accept an invitation",
          description:
            "Makes you a member of the team. Any account may accept it, also one with another address than the link was sent to; the security log has both.",
          access: "session",
          answer: {
            description: "You are a member now.",
            schema: ok({ team: Team }),
          },
          refusals: ["invitation_invalid", "already_member", "too_many_members", "too_many_teams", "rate_limited"],
        }),
      },
    );
