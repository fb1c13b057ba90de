import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { parseScenario } from "#sim/scenario/scenario";
import { loadScenario } from "#sim/scenario/load-scenario";
import { goDefinitions } from "#infra/local/kube/go-schemas";
import { KINDS } from "#sim/kinds";
const docs = parseAllDocuments(readFileSync("infra/local/scenarios/many.yaml","utf8")).map(d=>d.toJS());
const count=Number(process.argv[2]??200);
let t=performance.now();
let c0=process.cpuUsage().user;const lap=(what:string)=>{const n=performance.now(),c=process.cpuUsage().user;console.log(what,(n-t).toFixed(0),"ms wall",((c-c0)/1000).toFixed(0),"ms cpu",Math.round(process.memoryUsage().rss/1e6),"MB");t=performance.now();c0=process.cpuUsage().user};
const s = parseScenario(docs,{copies:{count,namespaces:20}});
if(!s.ok){console.log(s.faults);process.exit(1)}
lap("parse");
const l = loadScenario(s.value, process.argv[3]?{goDefinitions:goDefinitions()}:{});
if(!l.ok){console.log(l.faults.slice(0,3));process.exit(1)}
const f=l.fleet;
lap("load");
console.log("hub rv",f.hub.store.resourceVersion,"m1 rv",f.members.get("member1")!.store.resourceVersion,"pods",[...f.members.values()].map(m=>m.store.count(KINDS.pods)));
for(let i=1;i<=10;i++) f.step(s.value.startMs+i*1000);
lap("10 idle steps");
const m=f.members.get("member1")!;
const type=m.catalogue.find("metrics.k8s.io/v1beta1","pods")!;
for(let i=0;i<20;i++) m.list(type,{namespace:"team-"+i},s.value.startMs+20000);
lap("metrics of one member, 20 namespaces");
const dep=f.hub.catalogue.findKind("apps/v1","Deployment")!;
const r=f.hub.patchScale(dep,{namespace:"team-0",name:"web-0"},{type:"merge",body:{spec:{replicas:20}}},{nowMs:s.value.startMs+20000,fieldManager:"x"}); if(!r.ok)throw r.status.message;
f.step(s.value.startMs+20000); f.step(s.value.startMs+25000);
lap("scale one by 10x5 pods");
