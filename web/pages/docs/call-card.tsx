import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Schema } from "../../../src/modules/docs/json-schema";
import { Icon } from "../../ui/controls/icon";
import { CodeBlock } from "./code-block";
import { type Call, curlOf, type Field, type Response, responsesOf } from "./document";
import { fieldsOf, parametersOf } from "./fields";
import { Prose } from "./text";

/** Parameters, or the fields of a body or an answer, each with its type and meaning. */
function FieldList({ fields, withRequired = false }: { fields: Field[]; withRequired?: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className="fields">
      {fields.map(({ name, place, type, required, description, depth }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names repeat at other depths, and the list never changes
        <li key={index} className={`field depth-${depth}`}>
          <div className="field-head">
            <code className="field-name">{name}</code>
            <span className="field-type">{type}</span>
            {place && <span className="field-place">{t(`docs.places.${place as "path" | "query"}`)}</span>}
            {withRequired && required && <span className="field-required">{t("docs.required")}</span>}
          </div>
          {description && (
            <p>
              <Prose text={description} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The schemas that others refer to, and the address that paths are below. */
type Api = { schemas: Record<string, Schema>; origin: string };

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="part">
      <h4>{title}</h4>
      {children}
    </section>
  );
}

type AnswerProps = { status: string; response: Response; schemas: Api["schemas"] };

/** A successful answer. Its example and its fields are long, so that it is closed at first. */
function SuccessAnswer({ status, response: { description, content = {} }, schemas }: AnswerProps) {
  const { t } = useTranslation();
  const types = Object.entries(content);
  const [type = "", { schema, example } = {}] = types[0] ?? [];
  const fields = schema ? fieldsOf(schema, schemas) : [];
  const head = (
    <>
      <span className="status">{status}</span>
      <span>
        <Prose text={description} />
      </span>
    </>
  );
  if (example === undefined)
    return (
      <div className="answer success">
        <div className="answer-head">{head}</div>
      </div>
    );
  const isText = typeof example === "string";
  return (
    <details className="answer success">
      <summary className="answer-head">
        {head}
        <Icon name="caret" />
      </summary>
      <div className="answer-body">
        {type !== "application/json" && <p className="type">{types.map(([name]) => name).join(", ")}</p>}
        <CodeBlock
          text={isText ? example : JSON.stringify(example, null, 2)}
          label={t("docs.example")}
          isJson={!isText}
        />
        {fields.length > 0 && (
          <details className="more">
            <summary>{t("docs.fields")}</summary>
            <FieldList fields={fields} />
          </details>
        )}
      </div>
    </details>
  );
}

/** The error codes of a status, each with its message. */
function ErrorAnswer({ status, response: { content = {} } }: AnswerProps) {
  return (
    <div className="answer error answer-head">
      <span className="status">{status}</span>
      <ul>
        {Object.entries(content["application/json"]?.examples ?? {}).map(([code, { value }]) => (
          <li key={code}>
            <code>{code}</code> {(value as { message: string }).message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function CallBody({ call, api: { schemas, origin } }: { call: Call; api: Api }) {
  const { t } = useTranslation();
  const access = call["x-access"];
  const parameters = parametersOf(call, schemas);
  const body = call.requestBody?.content["application/json"];
  return (
    <div className="call-body">
      {call.description && (
        <p className="about">
          <Prose text={call.description} />
        </p>
      )}
      <p className="access">
        <Icon name={access === "public" ? "globe" : "lock"} />
        {t(`docs.access.${access}`)}
      </p>
      {parameters.length > 0 && (
        <Part title={t("docs.parameters")}>
          <FieldList fields={parameters} withRequired />
        </Part>
      )}
      {body && (
        <Part title={t("docs.body")}>
          <FieldList fields={fieldsOf(body.schema, schemas)} withRequired />
        </Part>
      )}
      <Part title={t("docs.request")}>
        <CodeBlock text={curlOf(call, origin)} label="curl" />
      </Part>
      <Part title={t("docs.answers")}>
        {responsesOf(call).map(([status, response]) => {
          const Answer = response.content?.["application/json"]?.examples ? ErrorAnswer : SuccessAnswer;
          return <Answer key={status} status={status} response={response} schemas={schemas} />;
        })}
      </Part>
    </div>
  );
}

/** A call, closed at first. Its body is rendered when it is first opened. */
export function CallCard({ call, api, hidden }: { call: Call; api: Api; hidden: boolean }) {
  const { method, path, operationId, summary } = call;
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details
      className="call"
      id={operationId}
      hidden={hidden}
      onToggle={(event) => event.currentTarget.open && setWasOpen(true)}
    >
      <summary>
        <span className={`method ${method.toLowerCase()}`}>{method}</span>
        <code className="path">{path}</code>
        <h3 lang="en">{summary}</h3>
        <Icon name="caret" />
      </summary>
      {wasOpen && <CallBody call={call} api={api} />}
    </details>
  );
}
