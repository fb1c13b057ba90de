// What is used of undici, without its fetch, WebSocket, cache and mocks: a third of its size.
import api from "undici/lib/api/index.js";
import AgentClass from "undici/lib/dispatcher/agent.js";
import DispatcherClass from "undici/lib/dispatcher/dispatcher.js";
import ProxyAgentClass from "undici/lib/dispatcher/proxy-agent.js";

// As undici's own index does.
Object.assign(DispatcherClass.prototype, api);

export const Agent = AgentClass;
export const Dispatcher = DispatcherClass;
export const ProxyAgent = ProxyAgentClass;
/** Asked for by name in the generated API of the Kubernetes client, none of which is left in a bundle. */
export const fetch = undefined;
