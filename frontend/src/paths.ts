const seg = encodeURIComponent;

export const pb = {
  overview: () => "/",
  packagesNamed: (text: string) => `/catalog?search=${seg(text)}`,
  packageOnboard: () => "/catalog?onboard=1",
  catalog: () => "/catalog",
  vnfPackage: (id: string) => `/catalog/${seg(id)}`,
  environments: (packageId: string) => `/catalog/${seg(packageId)}?tab=environments`,
  vnfPackageFile: (id: string, file: string, line: string | number) =>
    `/catalog/${seg(id)}?tab=files&file=${seg(file)}&line=${line}`,
  instances: () => "/instances",
  instancesNamed: (text: string) => `/instances?search=${seg(text)}`,
  instancesByHealth: (health: string) => `/instances?health=${seg(health)}`,
  instantiate: (vnfdId?: string) => (vnfdId ? `/instances/new?vnfd=${seg(vnfdId)}` : "/instances/new"),
  /** The result of dimensioning gives the size; `scale` is "aspect:level,…". */
  instantiateAs: (vnfdId: string, flavourId: string, levelId = "", scale = "") =>
    `/instances/new?vnfd=${seg(vnfdId)}&flavour=${seg(flavourId)}&level=${seg(levelId)}&scale=${seg(scale)}`,
  instantiateWith: (vnfdId: string, environmentId: string) =>
    `/instances/new?vnfd=${seg(vnfdId)}&environment=${seg(environmentId)}`,
  clone: (vnfdId: string, vnfInstanceId: string) => `/instances/new?vnfd=${seg(vnfdId)}&copy=${seg(vnfInstanceId)}`,
  /** The new instance starts from the settings of the last failed attempt. */
  cloneAttempt: (vnfdId: string, vnfInstanceId: string) =>
    `/instances/new?vnfd=${seg(vnfdId)}&attempt=${seg(vnfInstanceId)}`,
  dimensioning: (vnfdId?: string) => (vnfdId ? `/dimensioning?vnfd=${seg(vnfdId)}` : "/dimensioning"),
  reinstantiate: (vnfInstanceId: string) => `/instances/new?instance=${seg(vnfInstanceId)}`,
  instance: (id: string) => `/instances/${seg(id)}`,
  /** The page opens the dialog of the action. */
  instanceAction: (id: string, action: string) => `/instances/${seg(id)}?do=${seg(action)}`,
  vnfcs: (vnfInstanceId: string, ...ids: string[]) => `/instances/${seg(vnfInstanceId)}?vnfc=${ids.map(seg).join(",")}`,
  instanceTab: (id: string, tab: string) => `/instances/${seg(id)}?tab=${seg(tab)}`,
  /** The page opens the dialog of the action for these VNFCs; the address alone does nothing. */
  vnfcAction: (vnfInstanceId: string, action: string, ...ids: string[]) =>
    `/instances/${seg(vnfInstanceId)}?vnfc=${ids.map(seg).join(",")}&do=${seg(action)}`,
  instancePort: (vnfInstanceId: string, port: string) =>
    `/instances/${seg(vnfInstanceId)}?tab=topology&part=${seg(port)}`,
  forgotten: (id: string) => `/instances/${seg(id)}/forgotten`,
  operation: (vnfInstanceId: string, id: string) => `/instances/${seg(vnfInstanceId)}/operations/${seg(id)}`,
  topology: () => "/topology",
  /** The map scrolls to the object and opens its details. */
  onMap: (kind: "element" | "instance" | "vm" | "cloud", id: string) => `/topology?node=${seg(`${kind}:${id}`)}`,
  alarms: () => "/alarms",
  alarmHistory: () => "/alarms?list=historical",
  /** Asks whether to acknowledge all unacknowledged alarms of the list. */
  acknowledging: (alarms: string) =>
    `${alarms}${alarms.includes("?") ? "&" : "?"}ack=UNACKNOWLEDGED&top=0&do=acknowledge`,
  alarmsOf: (severity: string) => `/alarms?severity=${seg(severity)}`,
  alarmsWithText: (text: string) => `/alarms?text=${seg(text)}`,
  alarm: (id: string) => `/alarms?list=merged&suppressed=1&alarm=${seg(id)}`,
  suppressedAlarms: (managedObjectId: string) => `/alarms?suppressed=1&object=${seg(managedObjectId)}`,
  alarmsFor: (managedObjectId: string) => `/alarms?object=${seg(managedObjectId)}`,
  /** NO_SITE stands for elements without a site. */
  alarmsAtSite: (siteId: string) => `/alarms?site=${seg(siteId)}`,
  alarmsOfKind: (managedObjectType: string) => `/alarms?type=${seg(managedObjectType)}`,
  /** Includes alarms of parts inside this part. */
  alarmsIn: (managedObjectId: string, fdn: string) => `/alarms?object=${seg(managedObjectId)}&within=${seg(fdn)}`,
  /** Only alarms of this part. */
  alarmsAt: (managedObjectId: string, text: string) => `/alarms?object=${seg(managedObjectId)}&text=${seg(text)}`,
  elements: () => "/elements",
  elementsNamed: (name: string) => `/elements?name=${seg(name)}`,
  elementsReachable: (status: string) => `/elements?reachable=${seg(status)}&state=MANAGED`,
  elementsAt: (siteId: string) => `/elements?site=${seg(siteId)}`,
  /** `open` lists the expanded nodes of the tree. */
  network: (...open: string[]) => `/elements?view=tree${open.length > 0 ? `&open=${open.map(seg).join(",")}` : ""}`,
  elementsIn: (state: string) => `/elements?state=${seg(state)}`,
  element: (id: string) => `/elements/${seg(id)}`,
  /** The page opens the dialog of the action. */
  elementAction: (id: string, action: string) => `/elements/${seg(id)}?do=${seg(action)}`,
  counters: (elementId: string, object: string) => `/elements/${seg(elementId)}?tab=counters&object=${seg(object)}`,
  performance: () => "/performance",
  boards: () => "/performance/boards",
  board: (id: string) => `/performance/boards/${seg(id)}`,
  traps: () => "/elements/traps",
  elementTab: (id: string, tab: string) => `/elements/${seg(id)}?tab=${seg(tab)}`,
  elementInterface: (id: string, ifIndex: number | string) =>
    `/elements/${seg(id)}?tab=interfaces&interface=${seg(ifIndex)}`,
  /**
   * `peer` has the routing instance and a colon before the address, unless it is the base instance; the search hides
   * others.
   */
  elementPeer: (id: string, peer: string) =>
    `/elements/${seg(id)}?tab=bgp&peer=${seg(peer)}&bgp-neighbours.search=${seg(peer)}`,
  elementDrawing: (id: string) => `/elements/${seg(id)}?equipment=drawing`,
  elementPart: (id: string, fdn: string) => `/elements/${seg(id)}?part=${seg(fdn)}`,
  administration: (part = "sites") => `/administration?tab=${seg(part)}`,
  auditOf: (object: string) => `/administration?tab=audit&object=${seg(object)}`,
  account: () => "/account",
  automation: () => "/automation",
  vims: () => "/clouds",
  vimsReachable: (status: string) => `/clouds?reachable=${seg(status)}`,
  vimRegister: () => "/clouds/new",
  vim: (id: string) => `/clouds/${seg(id)}`,
  vimEdit: (id: string) => `/clouds/${seg(id)}/edit`,
};
