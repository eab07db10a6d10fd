"""Uses an emulator through Microsoft's clients: URL SUBSCRIPTION. Prints what was seen, as JSON."""

import json
import sys
import time

from azure.core.credentials import AccessToken
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.core.pipeline.policies import SansIOHTTPPolicy
from azure.mgmt.compute import ComputeManagementClient
from azure.mgmt.network import NetworkManagementClient
from azure.mgmt.resource import ResourceManagementClient

endpoint, subscription = sys.argv[1:3]


class Credential:
    def get_token(self, *scopes, **more):
        return AccessToken("none", int(time.time()) + 3600)


def client(kind):
    # Plain http on loopback: no token is sent over it.
    return kind(
        Credential(),
        subscription,
        base_url=endpoint,
        authentication_policy=SansIOHTTPPolicy(),
        polling_interval=0.05,
    )


resources = client(ResourceManagementClient)
compute = client(ComputeManagementClient)
network = client(NetworkManagementClient)

GROUP = "python"
LOCATION = "westeurope"
SIZE = "Standard_HB120rs_v3"
IMAGE = {"publisher": "microsoft-dsvm", "offer": "ubuntu-hpc", "sku": "2204", "version": "latest"}
seen = {}


def names(items):
    return sorted(item.name for item in items)


def power(view):
    return next(status.code for status in view.statuses if status.code.startswith("PowerState/"))


def refusal(call):
    try:
        result = call()
        if hasattr(result, "result"):
            result.result()
    except HttpResponseError as error:
        return {
            "type": type(error).__name__,
            "status": error.status_code,
            "code": error.error.code if error.error else None,
            "message": str(error),
        }
    return None


def groups():
    made = resources.resource_groups.create_or_update(GROUP, {"location": LOCATION, "tags": {"owner": "tests"}})
    resources.tags.begin_update_at_scope(
        made.id, {"operation": "Merge", "properties": {"tags": {"stage": "one"}}}
    ).result()
    seen["group"] = {
        "state": made.properties.provisioning_state,
        "exists": resources.resource_groups.check_existence(GROUP),
        "other": resources.resource_groups.check_existence("nobody"),
        "tags": resources.resource_groups.get(GROUP).tags,
        "tagged": names(resources.resource_groups.list(filter="tagName eq 'stage' and tagValue eq 'one'")),
    }


def networks():
    group = network.network_security_groups.begin_create_or_update(
        GROUP,
        "nsg",
        {
            "location": LOCATION,
            "security_rules": [
                {
                    "name": "ssh",
                    "protocol": "Tcp",
                    "access": "Allow",
                    "direction": "Inbound",
                    "priority": 100,
                    "source_port_range": "*",
                    "destination_port_range": "22",
                    "source_address_prefix": "203.0.113.0/24",
                    "destination_address_prefix": "*",
                }
            ],
        },
    ).result()
    table = network.route_tables.begin_create_or_update(GROUP, "routes", {"location": LOCATION}).result()
    net = network.virtual_networks.begin_create_or_update(
        GROUP,
        "net",
        {
            "location": LOCATION,
            "address_space": {"address_prefixes": ["10.45.0.0/16"]},
            "subnets": [
                {
                    "name": "nodes",
                    "address_prefix": "10.45.0.0/24",
                    "network_security_group": {"id": group.id},
                    "route_table": {"id": table.id},
                }
            ],
        },
    ).result()
    address = network.public_ip_addresses.begin_create_or_update(
        GROUP,
        "address",
        {"location": LOCATION, "sku": {"name": "Standard"}, "public_ip_allocation_method": "Static"},
    ).result()
    gateway = network.nat_gateways.begin_create_or_update(
        GROUP,
        "gateway",
        {"location": LOCATION, "sku": {"name": "Standard"}, "public_ip_addresses": [{"id": address.id}]},
    ).result()
    subnet = net.subnets[0]
    subnet.nat_gateway = {"id": gateway.id}
    subnet = network.subnets.begin_create_or_update(GROUP, "net", "nodes", subnet).result()
    nics = [
        network.network_interfaces.begin_create_or_update(
            GROUP,
            name,
            {"location": LOCATION, "ip_configurations": [{"name": "ip", "subnet": {"id": subnet.id}}]},
        ).result()
        for name in ("a", "b", "c")
    ]
    seen["network"] = {
        "address": address.ip_address,
        "gateway": network.nat_gateways.get(GROUP, "gateway").subnets[0].id,
        "privateAddresses": [nic.ip_configurations[0].private_ip_address for nic in nics],
        "listed": names(network.network_interfaces.list(GROUP)),
        "usage": [
            [usage.current_value, usage.unit]
            for usage in network.usages.list(LOCATION)
            if usage.name.value == "PublicIPAddresses"
        ],
    }
    return subnet, nics


def profile(name):
    return {
        "computer_name": name,
        "admin_username": "hpc",
        "linux_configuration": {
            "disable_password_authentication": True,
            "ssh": {"public_keys": [{"path": "/home/hpc/.ssh/authorized_keys", "key_data": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g"}]},
        },
    }


def machine(name, nic):
    return {
        "location": LOCATION,
        "hardware_profile": {"vm_size": SIZE},
        "storage_profile": {"image_reference": IMAGE, "os_disk": {"create_option": "FromImage"}},
        "os_profile": profile(name),
        "network_profile": {"network_interfaces": [{"id": nic.id}]},
    }


def machines(nics):
    made = [
        compute.virtual_machines.begin_create_or_update(GROUP, name, machine(name, nic)).result()
        for name, nic in zip(("a", "b"), nics)
    ]
    states = [power(compute.virtual_machines.instance_view(GROUP, "a"))]
    for action in ("begin_power_off", "begin_start", "begin_restart", "begin_deallocate"):
        getattr(compute.virtual_machines, action)(GROUP, "a").result()
        states.append(power(compute.virtual_machines.instance_view(GROUP, "a")))
    run = compute.virtual_machines.begin_run_command(
        GROUP, "b", {"command_id": "RunShellScript", "script": ["true"]}
    ).result()
    updated = compute.virtual_machines.begin_update(GROUP, "b", {"tags": {"role": "node"}}).result()
    again = compute.virtual_machines.get(GROUP, "b")
    again.tags["again"] = "yes"
    again = compute.virtual_machines.begin_create_or_update(GROUP, "b", again).result()
    disk = compute.disks.begin_create_or_update(
        GROUP,
        "data",
        {"location": LOCATION, "disk_size_gb": 32, "creation_data": {"create_option": "Empty"}},
    ).result()
    seen["machine"] = {
        "states": states,
        "run": [status.code for status in run.value],
        "tags": updated.tags,
        "again": again.tags,
        "listed": names(compute.virtual_machines.list(GROUP)),
        "everywhere": len(list(compute.virtual_machines.list_all())),
        "disk": disk.provisioning_state,
        "usages": len(list(compute.usage.list(LOCATION))) > 3,
    }
    compute.virtual_machines.generalize(GROUP, "a")
    image = compute.images.begin_create_or_update(
        GROUP,
        "captured",
        {"location": LOCATION, "source_virtual_machine": {"id": made[0].id}, "hyper_v_generation": "V2"},
    ).result()
    compute.galleries.begin_create_or_update(GROUP, "gallery", {"location": LOCATION}).result()
    compute.gallery_images.begin_create_or_update(
        GROUP,
        "gallery",
        "definition",
        {
            "location": LOCATION,
            "os_type": "Linux",
            "os_state": "Generalized",
            "hyper_v_generation": "V2",
            "identifier": {"publisher": "p", "offer": "o", "sku": "s"},
        },
    ).result()
    version = compute.gallery_image_versions.begin_create_or_update(
        GROUP,
        "gallery",
        "definition",
        "1.0.0",
        {
            "location": LOCATION,
            "publishing_profile": {"target_regions": [{"name": LOCATION}]},
            "storage_profile": {"source": {"id": image.id}},
        },
    ).result()
    seen["image"] = {
        "state": image.provisioning_state,
        "version": version.provisioning_state,
        "versions": names(compute.gallery_image_versions.list_by_gallery_image(GROUP, "gallery", "definition")),
    }
    return version


def scale_sets(subnet):
    sets = compute.virtual_machine_scale_sets
    made = sets.begin_create_or_update(
        GROUP,
        "set",
        {
            "location": LOCATION,
            "sku": {"name": SIZE, "capacity": 3},
            "overprovision": False,
            "single_placement_group": True,
            "upgrade_policy": {"mode": "Manual"},
            "virtual_machine_profile": {
                "storage_profile": {"image_reference": IMAGE},
                "os_profile": {**{k: v for k, v in profile("").items() if k != "computer_name"}, "computer_name_prefix": "node"},
                "network_profile": {
                    "network_interface_configurations": [
                        {
                            "name": "nic",
                            "primary": True,
                            "ip_configurations": [{"name": "ip", "subnet": {"id": subnet.id}}],
                        }
                    ]
                },
            },
        },
    ).result()
    instances = list(compute.virtual_machine_scale_set_vms.list(GROUP, "set"))
    sets.begin_deallocate(GROUP, "set", {"instance_ids": ["1"]}).result()
    view = compute.virtual_machine_scale_set_vms.get_instance_view(GROUP, "set", "1")
    sets.begin_delete_instances(GROUP, "set", {"instance_ids": ["0"]}).result()
    grown = sets.begin_update(GROUP, "set", {"sku": {"name": SIZE, "capacity": 4}}).result()
    seen["scaleSet"] = {
        "state": made.provisioning_state,
        "names": [instance.os_profile.computer_name for instance in instances],
        "stopped": power(view),
        "capacity": grown.sku.capacity,
        "after": [each.instance_id for each in compute.virtual_machine_scale_set_vms.list(GROUP, "set")],
    }


def templates():
    template = {
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
        "contentVersion": "1.0.0.0",
        "parameters": {"name": {"type": "string"}},
        "resources": [
            {
                "type": "Microsoft.Compute/availabilitySets",
                "apiVersion": "2024-07-01",
                "name": "[parameters('name')]",
                "location": "[resourceGroup().location]",
                "sku": {"name": "Aligned"},
                "properties": {"platformFaultDomainCount": 2, "platformUpdateDomainCount": 5},
            }
        ],
        "outputs": {"name": {"type": "string", "value": "[parameters('name')]"}},
    }
    properties = {"mode": "Incremental", "template": template, "parameters": {"name": {"value": "near"}}}
    made = resources.deployments.begin_create_or_update(GROUP, "one", {"properties": properties}).result()
    seen["deployment"] = {
        "state": made.properties.provisioning_state,
        "output": made.properties.outputs["name"]["value"],
        "operations": len(list(resources.deployment_operations.list(GROUP, "one"))),
        "refused": refusal(
            lambda: resources.deployments.begin_create_or_update(
                GROUP, "two", {"properties": {**properties, "parameters": {}}}
            )
        ),
    }


def refusals(nics):
    seen["refusals"] = {
        "absent": refusal(lambda: compute.virtual_machines.get(GROUP, "nobody")),
        "absentGroup": refusal(lambda: network.virtual_networks.get("nobody", "net")),
        "inUse": refusal(lambda: network.network_interfaces.begin_delete(GROUP, "b")),
        "basic": refusal(
            lambda: network.public_ip_addresses.begin_create_or_update(GROUP, "basic", {"location": LOCATION})
        ),
        "size": refusal(
            lambda: compute.virtual_machines.begin_create_or_update(
                GROUP, "d", {**machine("d", nics[2]), "hardware_profile": {"vm_size": "Standard_None"}}
            )
        ),
        "allocation": refusal(
            lambda: compute.virtual_machines.begin_create_or_update(GROUP, "unlucky", machine("unlucky", nics[2]))
        ),
        "tag": refusal(
            lambda: resources.resource_groups.create_or_update(GROUP, {"location": LOCATION, "tags": {"a/b": "c"}})
        ),
    }


def lists():
    query = "tagName eq 'role' and tagValue eq 'node'"
    seen["lists"] = {
        "byTag": [[item.name, item.tags] for item in resources.resources.list(filter=query)],
        "byType": names(resources.resources.list(filter="resourceType eq 'Microsoft.Compute/images'")),
        "inGroup": len(list(resources.resources.list_by_resource_group(GROUP))) > 10,
    }


def disks():
    source = compute.disks.get(GROUP, "data")
    snapshot = compute.snapshots.begin_create_or_update(
        GROUP,
        "snapshot",
        {"location": LOCATION, "creation_data": {"create_option": "Copy", "source_resource_id": source.id}},
    ).result()
    access = {"access": "Read", "duration_in_seconds": 60}
    granted = compute.snapshots.begin_grant_access(GROUP, "snapshot", access).result()
    compute.snapshots.begin_revoke_access(GROUP, "snapshot").result()
    disk = compute.disks.begin_grant_access(GROUP, "data", access).result()
    active = compute.disks.get(GROUP, "data").disk_state
    compute.disks.begin_revoke_access(GROUP, "data").result()
    seen["disks"] = {
        "snapshot": snapshot.disk_size_gb,
        "granted": [granted.access_sas.startswith("https://"), disk.access_sas.startswith("https://")],
        "states": [active, compute.disks.get(GROUP, "data").disk_state],
    }


def instances():
    sets, vms = compute.virtual_machine_scale_sets, compute.virtual_machine_scale_set_vms
    extensions = compute.virtual_machine_scale_set_extensions
    extension = {
        "publisher": "Microsoft.Azure.Extensions",
        "type_properties_type": "CustomScript",
        "type_handler_version": "2.1",
        "settings": {"commandToExecute": "true"},
    }
    made = extensions.begin_create_or_update(GROUP, "set", "script", extension).result()
    latest = [each.latest_model_applied for each in vms.list(GROUP, "set")]
    sets.begin_update_instances(GROUP, "set", {"instance_ids": ["1"]}).result()
    last = list(vms.list(GROUP, "set"))[-1]
    last.protection_policy = {"protect_from_scale_in": True}
    guarded = vms.begin_update(GROUP, "set", last.instance_id, last).result()
    sets.begin_update(GROUP, "set", {"sku": {"name": SIZE, "capacity": 1}}).result()
    sets.begin_reimage(GROUP, "set").result()
    seen["instances"] = {
        "extension": [made.name, [each.name for each in extensions.list(GROUP, "set")]],
        "latest": any(latest),
        "guarded": guarded.protection_policy.protect_from_scale_in,
        "left": [each.instance_id == last.instance_id for each in vms.list(GROUP, "set")],
        "history": len(list(sets.get_os_upgrade_history(GROUP, "set"))),
        "sizes": len(list(sets.list_skus(GROUP, "set"))) > 3,
        "byRegion": [names(sets.list_by_location(LOCATION)), names(compute.virtual_machines.list_by_location(LOCATION))],
        "addresses": len(
            list(
                network.network_interfaces.list_virtual_machine_scale_set_ip_configurations(
                    GROUP, "set", last.instance_id, "nic"
                )
            )
        ),
        "rolling": refusal(lambda: compute.virtual_machine_scale_set_rolling_upgrades.get_latest(GROUP, "set")),
        "maintenance": refusal(lambda: compute.virtual_machines.begin_perform_maintenance(GROUP, "b")),
        "converted": refusal(lambda: compute.virtual_machines.begin_convert_to_managed_disks(GROUP, "b")),
        "moved": refusal(
            lambda: resources.resources.begin_move_resources(
                GROUP, {"resources": [made.id], "target_resource_group": "elsewhere"}
            )
        ),
    }


def questions():
    interfaces = network.network_interfaces
    exported = resources.resource_groups.begin_export_template(GROUP, {"resources": ["*"]}).result()
    resources.tags.create_or_update("stage")
    resources.tags.create_or_update_value("stage", "two")
    resources.resource_groups.create_or_update("complete", {"location": LOCATION})
    resources.deployments.begin_create_or_update(
        "complete",
        "empty",
        {
            "properties": {
                "mode": "Complete",
                "template": {
                    "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
                    "contentVersion": "1.0.0.0",
                    "resources": [],
                },
            }
        },
    ).result()
    seen["questions"] = {
        "routes": [route.next_hop_type for route in interfaces.begin_get_effective_route_table(GROUP, "b").result().value],
        "rules": len(
            interfaces.begin_list_effective_network_security_groups(GROUP, "b").result().value[0].effective_security_rules
        ),
        "balancers": len(list(network.network_interface_load_balancers.list(GROUP, "b"))),
        "configurations": names(network.network_interface_ip_configurations.list(GROUP, "b")),
        "tags": len(network.service_tags.list(LOCATION).values) > 3,
        "free": network.virtual_networks.check_ip_address_availability(GROUP, "net", "10.45.0.200").available,
        "used": [usage.name.value for usage in network.virtual_networks.list_usage(GROUP, "net")],
        "template": sorted(exported.template)[:3],
        "names": sorted(tag.tag_name for tag in resources.tags.list()),
        "mode": resources.deployments.get("complete", "empty").properties.mode,
        "sizes": len(list(compute.virtual_machines.list_available_sizes(GROUP, "b"))) > 3,
    }


def deletes():
    compute.virtual_machine_scale_sets.begin_delete(GROUP, "set").result()
    compute.virtual_machines.begin_delete(GROUP, "b").result()
    network.network_interfaces.begin_delete(GROUP, "b").result()
    try:
        network.network_interfaces.get(GROUP, "b")
        gone = False
    except ResourceNotFoundError:
        gone = True
    resources.resource_groups.begin_delete(GROUP).result()
    seen["after"] = {"interface": gone, "group": resources.resource_groups.check_existence(GROUP)}


groups()
subnet, nics = networks()
machines(nics)
scale_sets(subnet)
templates()
refusals(nics)
lists()
disks()
instances()
questions()
deletes()
print(json.dumps(seen))
