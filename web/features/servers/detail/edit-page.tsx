import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { REPORT_LIMITS } from "../../../../src/shared/agents/report";
import { text } from "../../../lib/form";
import { paths } from "../../../paths";
import { Field } from "../../../ui/controls/field";
import { Form, FormFoot } from "../../../ui/controls/form";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useDelayedNavigate, useSubmit } from "../../../ui/hooks/use-submit";
import { BackLink } from "../../../ui/layout/back-link";
import { TagsField, tagsIn } from "../../tags/tags-field";
import { type Server, serverAtom, updateServer } from "../api";
import { planIn, planProblems } from "../plan/plan";
import { PlanFields } from "../plan/plan-fields";
import { isServerId, ServerMissing, ServerProblem } from "./server-problem";

type Body = Parameters<typeof updateServer>[1];
type Props = {
  agent: Pick<Server, "id" | "name" | "hostname" | "tags" | "plan" | "traffic">;
  onSave: (body: Body) => Promise<void>;
};

function NameForm({ agent, onSave }: Props) {
  const { t } = useTranslation();
  const form = useSubmit(t("agents.edit.failed"));
  const [saved, setSaved] = useState(false);

  const onValid = (fields: FormData) =>
    form.submit(async () => {
      await onSave({
        name: text(fields, "name"),
        ...tagsIn(fields, agent.tags),
        plan: planIn(fields, agent.plan, agent.traffic?.since ?? null),
      });
      setSaved(true);
    });

  return (
    <Form
      of={form}
      className="sheet split server-form"
      onValid={onValid}
      check={(fields) => ({
        name: text(fields, "name") === "" ? t("agents.edit.nameRequired") : undefined,
        ...planProblems(fields),
      })}
      focus="name"
    >
      <section className="card">
        <Field
          label={t("agents.edit.name")}
          hint={t("agents.edit.hint", { hostname: agent.hostname })}
          error={form.wrong("name")}
        >
          <input name="name" required maxLength={REPORT_LIMITS.text} defaultValue={agent.name} autoComplete="off" />
        </Field>
        <TagsField stored={agent.tags} error={form.wrong("tags")} />
      </section>
      <PlanFields agent={agent} wrong={form.wrong} />
      <FormFoot of={form} sticky disabled={saved}>
        <Link href={paths.agent(agent.id)} className="button quiet">
          {t("common.action.cancel")}
        </Link>
      </FormFoot>
    </Form>
  );
}

/** Both in ms. */
const toastLasts = 2000;
const backAfter = 1500;

export default function EditPage({ id }: { id: string }) {
  return isServerId(id) ? <Edit id={id} /> : <ServerMissing id={id} />;
}

function Edit({ id }: { id: string }) {
  const { t } = useTranslation();
  const leave = useDelayedNavigate();
  const [{ data, error }, refresh] = useAtom(serverAtom(id));

  if (!data && error) return <ServerProblem id={id} error={error} onRetry={() => void refresh()} />;
  return (
    <>
      {data && <BackLink to={paths.agent(id)}>{data.agent.name}</BackLink>}
      <div className="page-head">
        <h1>{t("agents.edit.title")}</h1>
      </div>
      {data ? (
        <NameForm
          agent={data.agent}
          onSave={async (body) => {
            await updateServer(id, body);
            void refresh();
            toast(t("agents.edit.saved"), { lasts: toastLasts });
            leave(paths.agents, backAfter);
          }}
        />
      ) : (
        <Skeleton className="sheet" heights={["10rem"]} />
      )}
    </>
  );
}
