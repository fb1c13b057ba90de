import type { ResourcePath } from "./api-path.ts";
import type { Reply } from "./reply.ts";

/**
 * `kubectl auth can-i` and `whoami`: reviews are questions that are posted and never stored. Everyone may do everything
 * here. Undefined when the path is no review.
 */
export function reviewReply(path: ResourcePath, method: string): ((body: Buffer) => Reply) | undefined {
  const status = method === "POST" ? REVIEWS[`${path.apiVersion}/${path.resource}`] : undefined;
  if (status === undefined) return undefined;
  return (body) => ({ code: 201, body: { ...question(body), status } });
}

const REVIEWS: Readonly<Record<string, object>> = {
  "authorization.k8s.io/v1/selfsubjectaccessreviews": { allowed: true },
  "authentication.k8s.io/v1/selfsubjectreviews": {
    userInfo: { username: "admin", groups: ["system:masters", "system:authenticated"] },
  },
};

function question(body: Buffer): object {
  try {
    return JSON.parse(body.toString("utf8")) as object;
  } catch {
    return {};
  }
}
