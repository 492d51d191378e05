"""The flow of EANTC's report (Light Reading, 2016): catalog → cloud → settings → deploy → scale out → alarms."""

from collections.abc import Mapping
from typing import Any

from demo.api import Api, DemoError, explain_problem, wait_for
from demo.cloud import CloudSide, check_same_cloud, register, registration
from demo.operation import run_operation
from demo.routers import Routers
from demo.screen import Screen

VIM_TYPE = "ETSINFV.OPENSTACK_KEYSTONE.V_3"
STEPS = 10
OPERATION_SECONDS = 900.0
ALARM_SECONDS = 90.0


class Flow:
    """One run; `name` is the VNF instance's name, `routers` the simulated routers of the installation, if any."""

    def __init__(self, api: Api, cloud: CloudSide, screen: Screen, name: str, routers: Routers | None = None) -> None:
        self.api = api
        self.cloud = cloud
        self.screen = screen
        self.name = name
        self.routers = routers
        self.instance_id = ""

    def run(self, *, product: str, clouds_yaml: str, keep: bool) -> None:
        vnfd = self._choose_vnf(product)
        vim = self._choose_cloud(clouds_yaml)
        self._meet_routers()
        request = self._settings(vnfd, vim)
        self._plan(vnfd, request)
        self._deploy(vnfd, request)
        self._scale_out(vnfd)
        self._alarm_and_clear()
        if keep:
            self.screen.note(f"{self.name} is left running: {self.instance_id}")
            return
        self._terminate()
        self._delete()

    def _choose_vnf(self, product: str) -> Mapping[str, Any]:
        self.screen.heading(1, STEPS, f"Choose {product} from the catalog")
        vnfds = self.api.get("/api/v1/vnfds")
        chosen = [vnfd for vnfd in vnfds if vnfd["productName"] == product]
        if not chosen:
            known = ", ".join(vnfd["productName"] for vnfd in vnfds) or "nothing"
            raise DemoError(f"{product} is not in the catalog: choose one of {known}.")
        vnfd: Mapping[str, Any] = self.api.get(f"/api/v1/vnfds/{chosen[0]['vnfdId']}")
        self.screen.good(f"{vnfd['provider']} {vnfd['productName']} {vnfd['softwareVersion']}, VNFD {vnfd['vnfdId']}")
        return vnfd

    def _choose_cloud(self, clouds_yaml: str) -> Mapping[str, Any]:
        self.screen.heading(2, STEPS, f"Choose the cloud {self.cloud.name}")
        vims = {vim["name"]: vim for vim in self.api.get("/api/v1/vims")}
        if self.cloud.name in vims:
            check_same_cloud(vims[self.cloud.name], self.cloud.auth_url)
        else:
            register(self.api, self.screen, registration(self.cloud.name, clouds_yaml))
            self.screen.note("registered from clouds.yaml")

        def reachable() -> Mapping[str, Any] | None:
            vim = next(v for v in self.api.get("/api/v1/vims") if v["name"] == self.cloud.name)
            condition = next(c for c in vim["conditions"] if c["type"] == "VimReachable")
            return vim if condition["status"] == "True" else None

        vim = wait_for("VimReachable is True", reachable, 60)
        self.screen.good(f"VIM {vim['id']} is reachable")
        return vim

    def _meet_routers(self) -> None:
        self.screen.heading(3, STEPS, "Manage the physical routers next to it")
        if self.routers is None:
            self.screen.note("this installation has no simulated routers: the checks of network elements are skipped")
        else:
            self.routers.manage_all()

    def _settings(self, vnfd: Mapping[str, Any], vim: Mapping[str, Any]) -> dict[str, Any]:
        self.screen.heading(4, STEPS, "Check the settings and change the management address")
        names = {setting["name"] for setting in vnfd["settings"]}
        wanted = {"management_ip_active": "10.10.0.20", "management_ip_standby": "10.10.0.21"}
        if self.routers is not None and vnfd["element"] and wanted.keys() <= names:
            changed = dict(self.routers.settings(self.name))
        else:
            self.routers = None
            changed = {name: value for name, value in wanted.items() if name in names}
        self.screen.good(", ".join(f"{name}={value}" for name, value in changed.items()) or "defaults")
        return {
            "flavourId": "default",
            "vimConnectionInfo": {"vim1": {"vimId": vim["id"], "vimType": VIM_TYPE}},
            "additionalParams": changed,
        }

    def _plan(self, vnfd: Mapping[str, Any], request: Mapping[str, Any]) -> None:
        self.screen.heading(5, STEPS, "See the plan")
        body = {"operation": "INSTANTIATE", "vnfdId": vnfd["vnfdId"], "request": request}
        location = self.api.post("/api/v1/plans", body).headers["Location"]

        def ready() -> Mapping[str, Any] | None:
            plan: Mapping[str, Any] = self.api.get(location)
            return None if plan["state"] == "PENDING" else plan

        plan = wait_for("the plan", ready, 60)
        if plan["state"] != "READY":
            raise DemoError("The plan was rejected: " + explain_problem(plan["problem"]))
        result = plan["result"]
        for flavor in result["flavors"]:
            self.screen.note(f"{flavor['vduId']}: flavor {flavor['flavorName']}. {flavor['reason']}")
        for warning in result["warnings"]:
            self.screen.note(f"note: {warning}")
        created = sum(1 for resource in result["resources"] if resource["action"] == "create")
        self.screen.good(f"{len(result['steps'])} steps, {created} resources to create")

    def _deploy(self, vnfd: Mapping[str, Any], request: Mapping[str, Any]) -> None:
        self.screen.heading(6, STEPS, f"Create and deploy {self.name}")
        body = {"vnfdId": vnfd["vnfdId"], "vnfInstanceName": self.name}
        instance = self.api.post("/vnflcm/v2/vnf_instances", body).json()
        self.instance_id = instance["id"]
        self._operation("instantiate", request)
        self._in_sync()

    def _scale_out(self, vnfd: Mapping[str, Any]) -> None:
        aspect = vnfd["flavours"][0]["scalingAspects"][0]
        self.screen.heading(7, STEPS, f"Scale out {aspect['name']} by one step")
        before = self._levels()[aspect["id"]]
        count = len(self._vnfcs())
        self._operation("scale", {"type": "SCALE_OUT", "aspectId": aspect["id"], "numberOfSteps": 1})
        self._expect("scale level", self._levels()[aspect["id"]], before + 1)
        self._expect("VNFCs", len(self._vnfcs()), count + aspect["step"])
        self._in_sync()

    def _alarm_and_clear(self) -> None:
        victim = self._vnfcs()[-1]
        self.screen.heading(8, STEPS, f"Stop {victim['name']} behind the manager's back")
        self.cloud.stop(victim["serverId"])
        alarm = wait_for("an alarm for the stopped VM", lambda: self._alarm(victim, cleared=False), ALARM_SECONDS)
        details = "; ".join(alarm.get("faultDetails", []))
        self.screen.good(f"{alarm['perceivedSeverity']} {alarm['eventType']}: {alarm['probableCause']} {details}")
        self.api.patch(f"/vnffm/v1/alarms/{alarm['id']}", {"ackState": "ACKNOWLEDGED"})
        if self.routers is not None:
            element = self.routers.element_of(self.instance_id)
            card = wait_for("an alarm for its card", lambda: self._card_alarm(element, alarm["id"]), ALARM_SECONDS)
            self.screen.good(f"{card['faultType']} of {card['faultyResourceName']}: its root cause is the VM")
        self.cloud.start(victim["serverId"])
        wait_for("the alarm clears", lambda: self._alarm(victim, cleared=True), ALARM_SECONDS)
        self.screen.good("acknowledged; started again; cleared")

    def _terminate(self) -> None:
        self.screen.heading(9, STEPS, "Terminate")
        self._operation("terminate", {"terminationType": "FORCEFUL"})
        self._expect("servers left in the cloud", len(self.cloud.servers(self.instance_id)), 0)
        self._expect("stacks left in the cloud", len(self.cloud.stacks(self.instance_id)), 0)

    def _delete(self) -> None:
        self.screen.heading(10, STEPS, "Delete the identifier")
        self.api.delete(f"/vnflcm/v2/vnf_instances/{self.instance_id}")
        self.screen.good("nothing is left")

    def _operation(self, task: str, request: Mapping[str, Any]) -> None:
        """Start a task and follow its steps to the end. Raises DemoError unless it is COMPLETED."""
        run_operation(self.api, self.screen, self.instance_id, task, request, seconds=OPERATION_SECONDS)

    def _levels(self) -> dict[str, int]:
        info = self.api.get(f"/vnflcm/v2/vnf_instances/{self.instance_id}")["instantiatedVnfInfo"]
        return {status["aspectId"]: status["scaleLevel"] for status in info["scaleStatus"]}

    def _vnfcs(self) -> list[Mapping[str, Any]]:
        vnfcs: list[Mapping[str, Any]] = self.api.get(f"/api/v1/vnf_instances/{self.instance_id}")["vnfcs"]
        return vnfcs

    def _alarm(self, vnfc: Mapping[str, Any], *, cleared: bool) -> Mapping[str, Any] | None:
        alarms = self.api.get(f"/vnffm/v1/alarms?filter=(eq,managedObjectId,{self.instance_id})")
        for alarm in alarms:
            resource = alarm.get("rootCauseFaultyResource", {}).get("faultyResource", {})
            if resource.get("resourceId") == vnfc["serverId"]:
                is_cleared = alarm["perceivedSeverity"] == "CLEARED" or bool(alarm.get("alarmClearedTime"))
                if is_cleared == cleared:
                    return dict(alarm)
        return None

    def _card_alarm(self, element: Mapping[str, Any], root: str) -> Mapping[str, Any] | None:
        """Return the element's alarm whose root cause is the VM's alarm `root`, or None."""
        alarms = self.api.get(f"/api/v1/alarms?filter=(eq,managedObjectId,{element['id']})")
        return next((alarm for alarm in alarms if alarm["rootCauseAlarmId"] == root), None)

    def _in_sync(self) -> None:
        """Compare our VNFCs with the cloud's own list of servers: EANTC's "always in sync"."""
        ours = {vnfc["serverId"]: vnfc["status"] for vnfc in self._vnfcs()}
        theirs = self.cloud.servers(self.instance_id)
        self._expect("VNFCs and the cloud's servers", ours, theirs)
        if self.routers is not None:
            element = self.routers.element_of(self.instance_id)
            self._expect(f"cards of {element['name']}", self.routers.cards(element), self.routers.truth(element))

    def _expect(self, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            raise DemoError(f"{what}: {found!r}, expected {wanted!r}")
        self.screen.good(f"{what}: {len(found) if isinstance(found, dict) else found}, as it should be")
