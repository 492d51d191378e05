"""A VNF instance on the simulated cloud, made without the lifecycle: what watching needs, and no more."""

import json
from collections.abc import Sequence
from typing import Any

from tests.factories.catalog import make_package
from tests.factories.inventory import make_instance
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Server, StackInput
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.inventory.reconcilers.vim_poll import VimPollResult, poll_vim
from vnfm.inventory.services import RecordedLink, RecordedPort, RecordedVnfc, record_vnfcs
from vnfm.kit import clock
from vnfm.kit.seal import seal
from vnfm.vims.domain.clouds_yaml import connection_named
from vnfm.vims.models import Vim


def vim_of(cloudsim: CloudsimProcess, name: str = "sim") -> Vim:
    connection = connection_named(cloudsim.clouds_yaml.read_text(), "cloudsim")
    return Vim.objects.create(
        name=name,
        auth_url=connection.auth_url,
        region=connection.region,
        project_name=connection.project_name,
        username=connection.username,
        sealed_credentials=seal({"password": connection.password}),
    )


def deploy(cloud: Cloud, vim: Vim, *names: str, vnf: str = "vsr") -> VnfInstance:
    """An instance with one VNFC a name, each with one port on a network of the stack's own."""
    stack_id = cloud.stacks.create(vnf, StackInput(json.dumps(_template(names)), {}, {}, {}))
    stack = until(lambda: (found := cloud.stacks.show(stack_id)).in_progress is False and found, "the stack")
    assert stack.status == "CREATE_COMPLETE", stack.status_reason
    instance = make_instance(
        name=vnf,
        vim=vim,
        instantiation_state="INSTANTIATED",
        stack_id=stack_id,
        stack_name=stack.name,
        stack_status=stack.status,
        stack_status_reason=stack.status_reason,
    )
    record(cloud, instance, names)
    return instance


def record(cloud: Cloud, instance: VnfInstance, names: tuple[str, ...]) -> None:
    """Record the servers of these names as an operation would."""
    servers = {server.name: server for server in cloud.servers.list() if server.name in names}
    ports = {port.server_id: port for port in cloud.networks.ports()}
    vnfcs = []
    for name in names:
        server, port = servers[name], ports[servers[name].id]
        ours = RecordedPort(
            port_id=port.id,
            network_id=port.network_id,
            cp_id="mgmt",
            mac_address=port.mac_address,
            ip_addresses=port.ip_addresses,
            vnic_type=port.vnic_type,
            status=port.status,
            vif_type=port.vif_type,
        )
        vdu = name.partition("-")[0]
        vnfcs.append(
            RecordedVnfc(
                vdu,
                server.id,
                name,
                status=server.status,
                host=server.host,
                host_hash=server.host_hash,
                flavor=server.flavor,
                ports=(ours,),
            )
        )
    links = [RecordedLink("mgmt", vnfcs[0].ports[0].network_id, "net", created_by_stack=True)]
    record_vnfcs(instance=instance, vnfcs=vnfcs, links=links, now=clock.now())


def fleet(
    sim: CloudsimProcess, cloud: Cloud, vim: Vim, *, instances: int, each: int, name: str = "fleet"
) -> list[VnfInstance]:
    """Make instances of running VMs in bulk on both sides; they have neither stacks nor ports."""
    sim.control("POST", "/hosts", {"count": instances * each // 20})
    _boot(cloud, instances * each)
    servers = until(lambda: all_active(cloud.servers.list(), instances * each), "the fleet to boot", seconds=60)
    package = make_package()
    made = [
        VnfInstance(name=f"{name}-{number}", package=package, vim=vim, instantiation_state="INSTANTIATED")
        for number in range(instances)
    ]
    VnfInstance.objects.bulk_create(made)
    now = clock.now()
    seen = {"status": "ACTIVE", "status_since": now, "observed_at": now}
    rows = [
        Vnfc(
            instance=made[number // each],
            vdu_id="iom",
            name=server.name,
            server_name=server.name,
            server_id=server.id,
            host=server.host,
            flavor=server.flavor,
            **seen,
        )
        for number, server in enumerate(servers)
    ]
    Vnfc.objects.bulk_create(rows)
    return made


def all_active(servers: Sequence[Server], count: int) -> Sequence[Server] | None:
    return servers if [server.status for server in servers].count("ACTIVE") == count else None


def _boot(cloud: Cloud, count: int) -> None:
    """One call of Nova's own for all, on a network with room; our port makes servers by stacks only."""
    stack_id = cloud.stacks.create("room", StackInput(json.dumps(_template(())), {}, {}, {}))
    until(lambda: cloud.stacks.show(stack_id).status == "CREATE_COMPLETE", "the network")
    network = next(item.id for item in cloud.networks.list() if item.name.startswith("room"))
    image, flavor = cloud.images.find("tiny"), cloud.flavors.find("m1.tiny")
    assert isinstance(cloud, OpenStackCloud)
    assert image is not None
    assert flavor is not None
    wanted = {"imageRef": image.id, "flavorRef": flavor.id, "min_count": count, "max_count": count}
    nova = {"service_type": "compute", "interface": "public"}
    cloud.session.post(
        "/servers", json={"server": {"name": "fleet", "networks": [{"uuid": network}], **wanted}}, endpoint_filter=nova
    )


def poll(vim: Vim, cloud: Cloud) -> VimPollResult:
    """An urgent full poll, on a busy machine too."""
    return poll_vim(vim=Vim.objects.get(id=vim.id), cloud=cloud, now=clock.now(), urgent=True)


def vnfc(name: str) -> Vnfc:
    return Vnfc.objects.get(name=name)


def _template(names: tuple[str, ...]) -> dict[str, Any]:
    resources: dict[str, Any] = {
        "net": {"type": "OS::Neutron::Net"},
        "subnet": {
            "type": "OS::Neutron::Subnet",
            "properties": {"network": {"get_resource": "net"}, "cidr": "198.18.0.0/16"},
        },
    }
    for name in names:
        resources[f"{name}_port"] = {
            "type": "OS::Neutron::Port",
            "depends_on": "subnet",
            "properties": {"network": {"get_resource": "net"}},
        }
        resources[name] = {
            "type": "OS::Nova::Server",
            "properties": {
                "name": name,
                "image": "tiny",
                "flavor": "m1.tiny",
                "networks": [{"port": {"get_resource": f"{name}_port"}}],
            },
        }
    return {"heat_template_version": "2015-10-15", "resources": resources}
