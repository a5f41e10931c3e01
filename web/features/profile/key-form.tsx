import { useAtomValue } from "jotai";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { KEY_SCOPES, type KeyScope } from "../../../src/shared/accounts/key-scopes";
import { LIMITS } from "../../../src/shared/limits";
import { text } from "../../lib/form";
import { Field } from "../../ui/controls/field";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { useSubmit } from "../../ui/hooks/use-submit";
import { teamsAtom } from "../teams/api";
import { createKey, type NewKey } from "./api";

/** The choices for the lifetime of a key, in days. */
const EXPIRIES = [30, 90, 365] as const;

/** What most keys are for, each with one scope; others are chosen scope by scope. */
const PRESETS = ["read", "write", "ping", "publish", "enroll", "maintain"] as const satisfies readonly KeyScope[];
type Preset = (typeof PRESETS)[number] | "custom";

type ScopeProps = { chosen: readonly KeyScope[]; onChange: (chosen: KeyScope[]) => void };

/** The choice of each scope. */
function ScopeList({ chosen, onChange }: ScopeProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <fieldset className="key-scopes" aria-label={t("keyScopes.label")}>
      {KEY_SCOPES.map((scope) => (
        <label key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            aria-labelledby={`${id}-${scope}`}
            aria-describedby={`${id}-${scope}-hint`}
            onChange={({ target }) =>
              onChange(KEY_SCOPES.filter((one) => (one === scope ? target.checked : chosen.includes(one))))
            }
          />
          <span>
            <span id={`${id}-${scope}`}>{t(`profile.keys.scope.${scope}`)}</span>
            <small className="soft" id={`${id}-${scope}-hint`}>
              {t(`keyScopes.hint.${scope}`)}
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type Props = { onCreated: (created: NewKey) => void; onClose: () => void };

/** The dialog that creates a key. */
export function KeyDialog({ onCreated, onClose }: Props) {
  const { t } = useTranslation();
  const form = useSubmit(t("profile.keys.createFailed"));
  const teams = useAtomValue(teamsAtom).data ?? [];
  const [days, setDays] = useState("");
  const [preset, setPreset] = useState<Preset>("read");
  const [custom, setCustom] = useState<KeyScope[]>(["read"]);
  const scopes = preset === "custom" ? custom : [preset];

  const onValid = (fields: FormData) =>
    form.submit(async () =>
      onCreated(
        await createKey({
          ...{ name: text(fields, "name"), scopes },
          expires_in_days: days ? Number(days) : null,
          team_id: Number(text(fields, "team_id")) || null,
        }),
      ),
    );

  return (
    <FormDialog
      of={form}
      title={t("profile.keys.submit")}
      submit={t("profile.keys.submit")}
      onValid={onValid}
      onClose={onClose}
      check={() => ({ scopes: scopes.length === 0 ? t("keyScopes.none") : undefined })}
    >
      <div className="pair">
        <Field label={t("profile.keys.name")} error={form.wrong("name")}>
          <input
            name="name"
            required
            maxLength={LIMITS.keyName}
            placeholder={t("profile.keys.namePlaceholder")}
            autoComplete="off"
          />
        </Field>
        <Field label={t("profile.keys.expiry")} error={form.wrong("expires_in_days")}>
          <select name="expires_in_days" value={days} onChange={(event) => setDays(event.target.value)}>
            <option value="">{t("profile.keys.never")}</option>
            {EXPIRIES.map((count) => (
              <option key={count} value={count}>
                {t("profile.keys.expiryDays", { count })}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Field
        label={t("keyScopes.label")}
        hint={preset === "custom" ? undefined : t(`keyScopes.hint.${preset}`)}
        error={form.wrong("scopes")}
      >
        <select name="scopes" value={preset} onChange={(event) => setPreset(event.target.value as Preset)}>
          {[...PRESETS, "custom" as const].map((value) => (
            <option key={value} value={value}>
              {t(`keyScopes.preset.${value}`)}
            </option>
          ))}
        </select>
      </Field>
      {preset === "custom" && <ScopeList chosen={custom} onChange={setCustom} />}
      {teams.length > 1 && (
        <Field label={t("keyScopes.team")} hint={t("keyScopes.teamHint")} error={form.wrong("team_id")}>
          <select name="team_id">
            <option value="">{t("keyScopes.allTeams")}</option>
            {teams.map(({ id, name, personal }) => (
              <option key={id} value={id}>
                {personal ? t("keyScopes.mine") : name}
              </option>
            ))}
          </select>
        </Field>
      )}
    </FormDialog>
  );
}
