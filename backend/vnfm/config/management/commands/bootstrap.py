import json
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from vnfm.accounts.roles import Role
from vnfm.accounts.selectors import user_named
from vnfm.accounts.services import user_create
from vnfm.catalog.services.shipped import shipped_packages_onboard
from vnfm.elements.services.prepared_network import network_register
from vnfm.kit.durable.database import advisory_lock
from vnfm.kit.problem import ProblemError
from vnfm.vims.domain.clouds_yaml import CloudsYamlError
from vnfm.vims.models import Vim
from vnfm.vims.services import vim_register_from_clouds_yaml

LOCK = 0x7E1E_0003


class Command(BaseCommand):
    help = (
        "Make a new installation usable: a first administrator, the shipped packages, a VIM and its network. What is "
        "there already is left as it is, the administrator's password included; only the VIM follows its clouds.yaml. "
        "A network is registered once: what users delete of it stays deleted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--admin-username", required=True)
        parser.add_argument("--admin-password-file", type=Path, required=True)
        parser.add_argument("--catalog", type=Path, required=True)
        parser.add_argument("--clouds-yaml", type=Path)
        parser.add_argument("--cloud", help="entry of --clouds-yaml, and the VIM's name")
        parser.add_argument("--network", type=Path, help="JSON: sites, policies and routers next to the VIM")
        parser.add_argument("--network-port", type=int, help="port of its routers, by SNMP and SSH")
        parser.add_argument("--network-netconf-port", type=int, help="and by NETCONF")

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["clouds_yaml"] is None) != (options["cloud"] is None):
            raise CommandError("--clouds-yaml and --cloud belong together.")
        if options["network"] and not (
            options["network_port"] and options["network_netconf_port"] and options["cloud"]
        ):
            raise CommandError("--network needs --network-port, --network-netconf-port and --cloud.")
        try:
            with advisory_lock(LOCK):
                self._administrator(options["admin_username"], options["admin_password_file"])
                for vnfd_id in shipped_packages_onboard(catalog_dir=options["catalog"]):
                    self.stdout.write(f"Onboarded VNFD {vnfd_id}.")
                if options["cloud"]:
                    vim = vim_register_from_clouds_yaml(path=options["clouds_yaml"], name=options["cloud"])
                    self.stdout.write(f"VIM {vim.name} is registered.")
                    if options["network"]:
                        self._network(options["network"], options["network_port"], options["network_netconf_port"], vim)
        except ProblemError as error:
            raise CommandError(f"{error.problem.detail} {error.problem.next_step}") from error
        except (CloudsYamlError, OSError, json.JSONDecodeError) as error:
            raise CommandError(str(error)) from error

    def _administrator(self, username: str, password_file: Path) -> None:
        user = user_named(username)
        if user is not None:
            first = password_file.read_text().strip()
            if first and not user.check_password(first):
                with suppress(OSError):  # a read-only volume: nothing prints it there
                    password_file.write_text("")  # it opens nothing any more, and ./vnfm stops printing it
            return
        user_create(username=username, password=password_file.read_text().strip(), role=Role.ADMIN)
        self.stdout.write(f"Made administrator {username}.")

    def _network(self, file: Path, port: int, netconf_port: int, vim: Vim) -> None:
        document = json.loads(file.read_text())
        if network_register(document=document, port=port, netconf_port=netconf_port, vim=vim):
            self.stdout.write(f"Registered the network {document['name']}.")
