import type { Catalogue } from "./catalogue.ts";
import { CUSTOM_RESOURCE_DEFINITIONS, crdSpecOf, typesOfCrd } from "./kinds/crd.ts";
import type { KubeObject } from "./object.ts";
import type { Store } from "./store.ts";

/**
 * Keeps the catalogue in step with the CustomResourceDefinitions of a store: those it holds already, and every later
 * change. With a definition its objects go too.
 */
export function followDefinitions(store: Store, catalogue: Catalogue): void {
  for (const definition of store.list(CUSTOM_RESOURCE_DEFINITIONS)) serve(catalogue, definition);
  store.subscribe((change) => {
    if (
      change.resource !== CUSTOM_RESOURCE_DEFINITIONS.resource ||
      change.group !== CUSTOM_RESOURCE_DEFINITIONS.group
    )
      return;
    if (change.type !== "DELETED") return serve(catalogue, change.object);
    for (const type of typesOf(change.object)) {
      catalogue.remove(type);
      for (const object of store.list(type)) store.remove(type, object);
    }
  });
}

function serve(catalogue: Catalogue, definition: KubeObject): void {
  for (const type of typesOf(definition)) catalogue.add(type);
}

function typesOf(definition: KubeObject) {
  const spec = crdSpecOf(definition);
  return spec === undefined ? [] : typesOfCrd(spec);
}
