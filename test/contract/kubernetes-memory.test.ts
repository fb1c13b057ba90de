import { memoryKubernetes } from "#adapters/memory/kubernetes";
import { kubernetesContract } from "#test/contract/kubernetes.contract";

kubernetesContract("memory", async (fleet, clock) => ({
  port: memoryKubernetes(fleet, clock),
  close: async () => {},
}));
