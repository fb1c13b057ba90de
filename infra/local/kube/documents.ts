import type { ApiServer } from "#sim/api/api-server";
import { pathNotFound } from "#sim/api/failure";
import {
  aggregatedDiscovery,
  apiGroupList,
  apiGroupOf,
  apiResourceList,
  apiVersions,
} from "#sim/api/view/discovery";
import { openApiDocument, openApiIndex } from "#sim/api/view/openapi";
import { SERVER_VERSION } from "#sim/api/view/version";
import type { Form } from "./accept.ts";
import type { ApiPath } from "./api-path.ts";
import { ok, type Reply, refused } from "./reply.ts";

/** Everything a server says of itself: discovery, OpenAPI, version, health. */
export function documentReply(
  server: ApiServer,
  path: Exclude<ApiPath, { kind: "resource" }>,
  form: Form,
  serverAddress: string,
): Reply {
  const { catalogue } = server;
  if (path.kind === "group") return found(apiGroupOf(catalogue, path.group));
  if (path.kind === "group-version") return found(apiResourceList(catalogue, path.apiVersion));
  switch (path.path) {
    case "/api":
      return discovery(server, form, true) ?? ok(apiVersions(serverAddress));
    case "/apis":
      return discovery(server, form, false) ?? ok(apiGroupList(catalogue));
    case "/version":
      return ok(SERVER_VERSION);
    case "/healthz":
    case "/livez":
    case "/readyz":
      return ok("ok");
    case "/openapi/v3":
      return ok(openApiIndex(catalogue));
    default:
      return found(
        path.path.startsWith("/openapi/v3/")
          ? openApiDocument(catalogue, path.path.slice("/openapi/v3/".length))
          : undefined,
      );
  }
}

function found(document: object | undefined): Reply {
  return document === undefined ? refused(pathNotFound()) : ok(document);
}

function discovery(server: ApiServer, form: Form, core: boolean): Reply | undefined {
  if (form !== "discovery-v2" && form !== "discovery-v2beta1") return undefined;
  const version = form === "discovery-v2" ? "v2" : "v2beta1";
  return {
    code: 200,
    body: aggregatedDiscovery(server.catalogue, core, version),
    contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
  };
}
