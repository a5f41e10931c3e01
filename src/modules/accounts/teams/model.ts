import { t } from "elysia";
import { field, oneOf } from "../../../server/schema";
import { TEAM_LIMITS, TEAM_ROLES } from "../../../shared/accounts/teams";
import { emailModel, nameModel } from "../model";

const pathId = (description: string) =>
  field(t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), description, 3);

export const memberParams = t.Object({ id: pathId("The team's id."), user: pathId("The member's id.") });
export const invitationParams = t.Object({ id: pathId("The team's id."), invitation: pathId("The invitation's id.") });

export const teamModel = t.Object({
  name: field(nameModel(TEAM_LIMITS.name), "1 to 64 characters.", "Shop"),
});

const role = oneOf(TEAM_ROLES);

export const roleModel = t.Object({
  role: field(role, "`viewer` reads, `editor` also changes, `owner` also manages members.", "editor"),
});

export const invitationModel = t.Object({
  role: field(role, "The role of the new member.", "editor"),
  email: t.Optional(
    field(
      emailModel,
      "Where the link is sent. It replaces an earlier invitation to the same address. Left out: pass the link on yourself.",
      "carol@example.com",
    ),
  ),
});

const token = field(t.String({ maxLength: 200 }), "What follows `#` in the link.", "4.c2lnbmF0dXJl…");

export const tokenModel = t.Object({ token });
export const tokenParams = t.Object({ token });
