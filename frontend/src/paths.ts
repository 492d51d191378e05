const seg = encodeURIComponent;

/** Every address of the console. */
export const pb = {
  catalog: () => "/catalog",
  vnfPackage: (id: string) => `/catalog/${seg(id)}`,
  instances: () => "/instances",
  instantiate: (vnfdId?: string) => (vnfdId ? `/instances/new?vnfd=${seg(vnfdId)}` : "/instances/new"),
  reinstantiate: (vnfInstanceId: string) => `/instances/new?instance=${seg(vnfInstanceId)}`,
  instance: (id: string) => `/instances/${seg(id)}`,
  forgotten: (id: string) => `/instances/${seg(id)}/forgotten`,
  operation: (vnfInstanceId: string, id: string) => `/instances/${seg(vnfInstanceId)}/operations/${seg(id)}`,
  alarms: () => "/alarms",
  alarmsOf: (severity: string) => `/alarms?severity=${seg(severity)}`,
  alarmsFor: (managedObjectId: string) => `/alarms?object=${seg(managedObjectId)}`,
  vims: () => "/clouds",
  vimRegister: () => "/clouds/new",
  vim: (id: string) => `/clouds/${seg(id)}`,
  vimEdit: (id: string) => `/clouds/${seg(id)}/edit`,
};
