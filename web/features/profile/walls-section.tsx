import { useAtom, useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../src/shared/limits";
import { api, payload } from "../../api";
import { serverAddress } from "../../bootstrap";
import { text } from "../../lib/form";
import { resource } from "../../lib/resource";
import { Copyable } from "../../ui/controls/copy-button";
import { Field } from "../../ui/controls/field";
import { Form, FormFoot } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { Ago } from "../../ui/feedback/ago";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import { tagsAtom } from "../tags/api";
import { RevokeAction } from "../teams/key-row";

const listWalls = () => payload(api.walls.get());
const wallsAtom = resource(listWalls);
type Wall = Awaited<ReturnType<typeof listWalls>>["walls"][number];

const createWall = async (name: string, tag: string) => {
  const { path, data } = await payload(api.walls.post({ name, tag: tag || null }));
  return { ...data, path };
};
type NewWall = Awaited<ReturnType<typeof createWall>>;

function WallForm({ onCreated }: { onCreated: (created: NewWall) => void }) {
  const { t } = useTranslation();
  const form = useSubmit(t("profile.walls.createFailed"));
  const tags = useAtomValue(tagsAtom).data?.tags ?? [];
  const onValid = (fields: FormData) =>
    form.submit(async () => onCreated(await createWall(text(fields, "name"), text(fields, "tag"))));
  return (
    <Form of={form} className="key-form" onValid={onValid}>
      <div className="pair">
        <Field label={t("profile.walls.place")} error={form.wrong("name")}>
          <input
            name="name"
            required
            maxLength={LIMITS.keyName}
            placeholder={t("profile.walls.namePlaceholder")}
            autoComplete="off"
          />
        </Field>
        <Field label={t("profile.walls.shows")} error={form.wrong("tag")}>
          <select name="tag" defaultValue="">
            <option value="">{t("profile.walls.all")}</option>
            {tags.map(({ name }) => (
              <option key={name} value={name}>
                {t("profile.walls.tagged", { name })}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <FormFoot of={form} submit={t("profile.walls.submit")} />
    </Form>
  );
}

/** The address of a wall right after its creation. It is not shown again. */
function WallShown({ created: { name, path }, onDone }: { created: NewWall; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="key-shown">
      <p className="message good" role="status">
        <Icon name="screen" />
        <span>
          <strong>{name}</strong>
          <br />
          {t("profile.walls.once")}
        </span>
      </p>
      <Copyable what={t("profile.walls.address")} text={serverAddress() + path} />
      <div className="actions">
        <button type="button" className="plain" onClick={onDone}>
          {t("profile.keys.done")}
        </button>
      </div>
    </div>
  );
}

function WallRow({ wall: { name, tag, created_at, last_used_at }, onRevoke }: { wall: Wall; onRevoke: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li>
      <div>
        <strong className="truncate" title={name}>
          {name}
        </strong>
        <span className="soft small">
          {t("profile.keys.created", { time: format.day(created_at) })}
          {" · "}
          {last_used_at ? (
            <>
              {t("profile.walls.used")} <Ago time={last_used_at} />
            </>
          ) : (
            t("profile.walls.unused")
          )}
        </span>
      </div>
      <span className="tag truncate">{tag ?? t("profile.walls.all")}</span>
      <RevokeAction name={name} onRevoke={onRevoke} />
    </li>
  );
}

/** The addresses that show the user's wall without a session, and the form to create one. */
export function WallsSection() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [{ data, error }, refresh] = useAtom(wallsAtom);
  const [fresh, setFresh] = useState<NewWall>();
  const [revoking, setRevoking] = useState<Wall>();
  return (
    <section className="card">
      <h2>{t("profile.walls.title")}</h2>
      <p className="soft">{t("profile.walls.text")}</p>
      {!data && error !== undefined && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {t("profile.walls.loadFailed")}: {errorText(error)}
          <button type="button" className="quiet compact" onClick={() => void refresh()}>
            {t("common.action.retry")}
          </button>
        </p>
      )}
      {data && data.walls.length > 0 && (
        <ul className="key-list">
          {data.walls.map((wall) => (
            <WallRow key={wall.id} wall={wall} onRevoke={() => setRevoking(wall)} />
          ))}
        </ul>
      )}
      {fresh ? (
        <WallShown created={fresh} onDone={() => setFresh(undefined)} />
      ) : (
        <WallForm
          onCreated={(created) => {
            setFresh(created);
            void refresh();
          }}
        />
      )}
      {revoking && (
        <DeleteDialog
          title={t("profile.walls.revokeTitle", { name: revoking.name })}
          text={t("profile.walls.revokeText")}
          done={t("profile.walls.revoked", { name: revoking.name })}
          failed={t("profile.walls.revokeFailed")}
          action={{ label: t("profile.keys.revoke"), busy: t("profile.keys.revoking") }}
          remove={() => payload(api.walls({ id: revoking.id }).delete())}
          onDeleted={() => {
            if (fresh?.id === revoking.id) setFresh(undefined);
            void refresh();
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </section>
  );
}
