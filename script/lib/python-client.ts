import { errorCodes } from "@hopwise/contracts";
import { openapiDocument } from "../../apps/api/src/rest/openapi.ts";
import { methodText, type Operation } from "./python-operations.ts";
import { fitted, PythonTypes, type Schema } from "./python-types.ts";

const folder = new URL("../../packages/client-python/hopwise/", import.meta.url);
const head = "# Written by script/print-python-client from the API's OpenAPI document; a test holds it to that.\n";

/** The files of Python's client that follow from the API's contract. */
export function pythonClientFiles(): { readonly url: URL; readonly text: string }[] {
  const document = openapiDocument({ sessionCookie: "hopwise_session" }) as {
    paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
    components: { schemas: Record<string, Schema> };
  };
  const types = new PythonTypes();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const methods = operations.filter(isCalled).map((operation) => methodText(operation, types));
  for (const [name, schema] of Object.entries(document.components.schemas)) types.declare(name, schema);
  const models = modelsText(types);
  const used = [...models.matchAll(/^(?:class )?([A-Z]\w+)(?:\(TypedDict\)| = TypedDict|: TypeAlias)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(methods.join("\n")));
  return [
    { url: new URL("models.py", folder), text: fitted(models) },
    { url: new URL("operations.py", folder), text: fitted(operationsText(methods, used)) },
  ];
}

/** Workers have grants of their own, browsers sessions; GraphQL and uploads by tus have methods of their own. */
function isCalled({ path, method, security }: Operation): boolean {
  const isGranted = JSON.stringify(security ?? []).includes("grant");
  const isTus =
    method === "patch" || method === "options" || (method === "post" && path === "/v1/datasets/{id}/uploads");
  return !isGranted && !isTus && path !== "/graphql" && path !== "/v1/session";
}

function modelsText(types: PythonTypes): string {
  const codes = Object.keys(errorCodes).map((code) => `    "${code}",\n`);
  return `${head}"""What the API takes and answers, as types. At run time all of them are dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

ErrorCode: TypeAlias = Literal[
${codes.join("")}]
"""Codes that the API's problems have: docs/errors.md."""


${types.text().trimEnd()}
`;
}

function operationsText(methods: readonly string[], used: readonly string[]): string {
  return `${head}"""Every call of the REST API, by the names that OpenAPI gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Literal, Mapping

from .transport import Answer, Transport, new_key, quoted

if TYPE_CHECKING:
    from .files import FileToSend
    from .models import (
${used.map((name) => `        ${name},\n`).join("")}    )


class Operations:
    """The calls of one service. What a call takes and answers: models.py; what goes wrong: errors.py."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

${methods.join("\n").trimEnd()}
`;
}
