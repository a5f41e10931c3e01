import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, id, integer, list, object, ok, text } from "../../../server/answers";
import { field, idParam, whole } from "../../../server/schema";
import { INCIDENT_LIMITS as LIMITS } from "../../../shared/status/incidents";
import { signedIn } from "../../accounts/guard";
import { addUpdate, changeUpdate, updateIncident } from "./change";
import { incidentChangeModel, incidentModel, incidentsQuery, textModel, updateChangeModel, updateModel } from "./model";
import { Incident, IncidentSummary } from "./present";
import { createIncident, deleteIncident, listIncidents, readIncident } from "./service";
import { createText, deleteText, IncidentText, listTexts, updateText } from "./texts";

const success = true as const;
const answer = (description: string) => ({ description, schema: ok({ incident: Incident }) });

const IncidentPage = object({
  id: id("The page's id.", 1),
  slug: text("Its name in its address.", "alice"),
  title: text("Its title.", "Acme"),
  subscribers: integer("Its confirmed subscribers.", 12),
  components: list(
    object({
      id: id("The component's id.", 4),
      name: text("Its name.", "Payments API"),
      monitors: list(integer("A monitor's id.", 3)),
      agents: list(integer("A server's id.", 5)),
    }),
  ),
});

/** The templates of a team. */
const textRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/texts" })
    .use(signedIn(deps))
    .get("/", async ({ user }) => ({ success, texts: await listTexts(deps, user) }), {
      detail: describe({
        id: "listIncidentTexts",
        summary: "List templates of incidents",
        description: "Their texts have variables that the editor of an incident fills in.",
        access: "user",
        answer: { description: "The templates, by name.", schema: ok({ texts: list(IncidentText) }) },
      }),
    })
    .post("/", async ({ user, body, status }) => status(201, { success, text: await createText(deps, user, body) }), {
      body: textModel,
      detail: describe({
        id: "createIncidentText",
        summary: "Create a template of incidents",
        description: `A team may have ${LIMITS.texts}.`,
        access: "user",
        answer: { status: 201, description: "The template.", schema: ok({ text: IncidentText }) },
        refusals: ["too_many_incident_texts"],
      }),
    })
    .guard({ params: idParam("The template's id.") })
    .put("/:id", async ({ user, params, body }) => ({ success, text: await updateText(deps, user, params.id, body) }), {
      body: textModel,
      detail: describe({
        id: "updateIncidentText",
        summary: "Change a template of incidents",
        description: "Replaces all of it. Incidents that were written with it stay as they are.",
        access: "user",
        answer: { description: "The template.", schema: ok({ text: IncidentText }) },
      }),
    })
    .delete("/:id", ({ user, params }) => deleteText(deps, user, params.id).then(() => ({ success })), {
      detail: describe({
        id: "deleteIncidentText",
        summary: "Delete a template of incidents",
        description: "Incidents that were written with it stay as they are.",
        access: "user",
        answer: { description: "The template is deleted.", schema: ok() },
      }),
    });

/** The calls about one incident. */
const oneRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .put(
      "/:id/updates/:update",
      async ({ user, params, body }) => ({ success, incident: await changeUpdate(deps, user, params, body) }),
      {
        params: t.Object({
          ...idParam("The incident's id.").properties,
          update: field(whole(1, Number.MAX_SAFE_INTEGER), "The update's id.", 31),
        }),
        body: updateChangeModel,
        detail: describe({
          id: "updateIncidentUpdate",
          summary: "Change an update of an incident",
          description: "Visitors see that it was edited. Fields that are left out keep their values.",
          access: "user",
          answer: answer("The incident."),
          refusals: ["incident_changed", "too_many_incidents"],
        }),
      },
    )
    .guard({ params: idParam("The incident's id.") })
    .get("/:id", async ({ user, params }) => ({ success, incident: await readIncident(deps, user, params.id) }), {
      detail: describe({
        id: "readIncident",
        summary: "Read an incident",
        description: "With all its updates.",
        access: "user",
        answer: answer("The incident."),
      }),
    })
    .put(
      "/:id",
      async ({ user, params, body }) => ({ success, incident: await updateIncident(deps, user, params.id, body) }),
      {
        body: incidentChangeModel,
        detail: describe({
          id: "updateIncident",
          summary: "Change an incident",
          description: "Fields that are left out keep their values. Its state is that of its latest update.",
          access: "user",
          answer: answer("The incident."),
          refusals: ["incident_changed"],
        }),
      },
    )
    .delete("/:id", ({ user, params }) => deleteIncident(deps, user, params.id).then(() => ({ success })), {
      detail: describe({
        id: "deleteIncident",
        summary: "Delete an incident",
        description: "With all its updates, also from the status pages.",
        access: "user",
        answer: { description: "The incident is deleted.", schema: ok() },
      }),
    })
    .post(
      "/:id/updates",
      async ({ user, params, body, status }) =>
        status(201, { success, incident: await addUpdate(deps, user, params.id, body) }),
      {
        body: updateModel,
        detail: describe({
          id: "addIncidentUpdate",
          summary: "Post an update of an incident",
          description: `\`resolved\` ends the incident, and another state opens it again. It may have ${LIMITS.updates} updates.`,
          access: "user",
          answer: { status: 201, ...answer("The incident.") },
          refusals: ["incident_changed", "too_many_updates", "too_many_incidents"],
        }),
      },
    );

/** The calls that write the incidents of a team. */
export const incidentRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/incidents", tags: ["Incidents"] })
    .use(textRoutes(deps))
    .use(signedIn(deps))
    .get("/", async ({ user, query }) => ({ success, ...(await listIncidents(deps, user, query)) }), {
      query: incidentsQuery,
      detail: describe({
        id: "listIncidents",
        summary: "List incidents",
        description: "Those of the team, the latest first, each with its latest update.",
        access: "user",
        answer: {
          description: "The incidents.",
          schema: ok({
            incidents: list(IncidentSummary),
            total: integer("How many there are.", 1),
            pages: list(IncidentPage, "The status pages of the team, with their components."),
          }),
        },
      }),
    })
    .post(
      "/",
      async ({ user, body, status }) => status(201, { success, incident: await createIncident(deps, user, body) }),
      {
        body: incidentModel,
        detail: describe({
          id: "createIncident",
          summary: "Publish an incident",
          description: `With its first update. A team may have ${LIMITS.open} that are open.`,
          access: "user",
          answer: { status: 201, ...answer("The incident.") },
          refusals: ["too_many_incidents"],
        }),
      },
    )
    .use(oneRoutes(deps));
