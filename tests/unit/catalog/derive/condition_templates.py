"""HOT templates with conditions in resources, nested stacks and groups."""

from vnfm.catalog.domain.hot.templates import HeatTarget

HOT = "heat_template_version: 2017-09-01\n"

VM = "type: OS::Nova::Server, properties: {image: i, flavor: m1.small, networks: [{network: lan}]}"

BASE = (
    HOT
    + """
parameters:
  deploy_db: {type: boolean, default: false}
  mode: {type: string, default: single, constraints: [allowed_values: [single, ha]]}
  size: {type: number, default: 1, constraints: [range: {min: 1, max: 4}]}
conditions:
  ha: {equals: [{get_param: mode}, ha]}
  db_of_ha: {and: [ha, {get_param: deploy_db}]}
resources:
  web: {<vm>}
  db: {condition: {get_param: deploy_db}, <vm>}
  standby: {condition: db_of_ha, <vm>}
  never: {condition: {not: {equals: [1, 1]}}, <vm>}
  pair: {type: pair.yaml, condition: ha, properties: {extra: {get_param: deploy_db}, size: 3}}
  workers:
    type: OS::Heat::ResourceGroup
    condition: ha
    properties: {count: {get_param: size}, resource_def: {<vm>}}
  odd: {type: odd.yaml, properties: {extra: {list_join: ["", [{get_param: mode}, x]]}}}
"""
).replace("<vm>", VM)

PAIR = (
    HOT
    + """
parameters: {extra: {type: boolean}, size: {type: number}}
conditions: {big: {equals: [{get_param: size}, 3]}}
resources:
  one: {<vm>}
  two: {condition: {and: [big, {get_param: extra}]}, <vm>}
"""
).replace("<vm>", VM)

ODD = (
    HOT
    + """
parameters: {extra: {type: string}}
resources: {vm: {condition: {equals: [{get_param: extra}, hax]}, <vm>}}
"""
).replace("<vm>", VM)

FILES = {"base.yaml": BASE, "pair.yaml": PAIR, "odd.yaml": ODD}

NEWEST = HeatTarget("2021-04-16")
