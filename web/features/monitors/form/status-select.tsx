import { useTranslation } from "react-i18next";

/** The status codes that the form offers, by class. */
const statusCodes = {
  2: [200, 201, 202, 203, 204, 205, 206],
  3: [300, 301, 302, 303, 304, 307, 308],
  4: [400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 418, 422, 429, 451],
  5: [500, 501, 502, 503, 504, 505],
} as const;

const statusClasses = [2, 3, 4, 5] as const;

/** An expected status as text: 2 is "2xx", 204 is "204". */
export const expectedText = (expected: number) => (expected < 10 ? `${expected}xx` : String(expected));

/** Whether a stored code belongs to none of the classes that the form offers. */
export const isUnlisted = (expected: number) =>
  !statusClasses.some((group) => group === expected || group === Math.floor(expected / 100));

/** The codes of a class, with the stored one: a code that the form does not offer must survive an edit. */
export const codesOf = (group: (typeof statusClasses)[number], present: number): readonly number[] => {
  const codes: readonly number[] = statusCodes[group];
  const isOther = Math.floor(present / 100) === group && !codes.includes(present);
  return isOther ? [...codes, present].sort((a, b) => a - b) : codes;
};

/** The choice of several codes, which are typed in another field. */
export const SEVERAL = "several";

type Props = {
  id?: string;
  defaultValue: number | typeof SEVERAL;
  required?: boolean;
  onSeveral: (several: boolean) => void;
};

export function StatusSelect({ defaultValue, onSeveral, ...control }: Props) {
  const { t } = useTranslation();
  const present = defaultValue === SEVERAL ? 200 : defaultValue;
  return (
    <select
      name="expectedStatus"
      defaultValue={defaultValue}
      onChange={(event) => onSeveral(event.target.value === SEVERAL)}
      {...control}
    >
      {isUnlisted(present) && <option value={present}>{expectedText(present)}</option>}
      {statusClasses.map((group) => (
        <optgroup key={group} label={t(`monitors.form.group.${group}`)}>
          <option value={group}>{t("monitors.form.any", { group: `${group}xx` })}</option>
          {codesOf(group, present).map((code) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </optgroup>
      ))}
      <option value={SEVERAL}>{t("kinds.http.several")}</option>
    </select>
  );
}
