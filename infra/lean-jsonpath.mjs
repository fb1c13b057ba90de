// Asked for by two auth-providers, which kubectl no longer has.
export function JSONPath() {
  throw new Error(
    "auth-provider gcp and azure ended with kubectl 1.26; use gke-gcloud-auth-plugin or kubelogin",
  );
}
