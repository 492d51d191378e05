"""HOTs of the contract suite; nothing newer than Liberty's 2015-10-15."""

GROUP = """\
heat_template_version: 2015-10-15
parameters:
  image: {type: string}
  flavor: {type: string}
  count: {type: number}
  removed: {type: comma_delimited_list}
  label: {type: string}
  cidr: {type: string, default: 198.18.7.0/24}
resources:
  net:
    type: OS::Neutron::Net
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {get_resource: net}
      cidr: {get_param: cidr}
      enable_dhcp: false
  members:
    type: OS::Heat::ResourceGroup
    depends_on: subnet
    properties:
      count: {get_param: count}
      removal_policies: [{resource_list: {get_param: removed}}]
      resource_def:
        type: Contract::Member
        properties:
          image: {get_param: image}
          flavor: {get_param: flavor}
          network: {get_resource: net}
          label: {get_param: label}
          index: "%index%"
outputs:
  servers: {value: {get_attr: [members, server]}}
  cidr: {value: {get_attr: [subnet, cidr]}}
"""

MEMBER = """\
heat_template_version: 2015-10-15
parameters:
  image: {type: string}
  flavor: {type: string}
  network: {type: string}
  label: {type: string}
  index: {type: string}
resources:
  port:
    type: OS::Neutron::Port
    properties:
      network: {get_param: network}
  server:
    type: OS::Nova::Server
    properties:
      name: {list_join: ["-", [{get_param: label}, {get_param: index}]]}
      image: {get_param: image}
      flavor: {get_param: flavor}
      metadata: {contract_index: {get_param: index}}
      networks: [{port: {get_resource: port}}]
outputs:
  server: {value: {get_resource: server}}
"""

NETWORK = """\
heat_template_version: 2015-10-15
parameters:
  cidr: {type: string, default: 198.18.8.0/24}
resources:
  net:
    type: OS::Neutron::Net
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {get_resource: net}
      cidr: {get_param: cidr}
"""

SERVER = """\
heat_template_version: 2015-10-15
parameters:
  image: {type: string}
  flavor: {type: string}
resources:
  net:
    type: OS::Neutron::Net
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {get_resource: net}
      cidr: 198.18.9.0/24
  server:
    type: OS::Nova::Server
    depends_on: subnet
    properties:
      image: {get_param: image}
      flavor: {get_param: flavor}
      networks: [{network: {get_resource: net}}]
"""

LINKED = """\
heat_template_version: 2015-10-15
parameters:
  image: {type: string}
  flavor: {type: string}
  label: {type: string}
  network: {type: string}
  image_policy: {type: string, default: REBUILD}
  secret: {type: string, default: hush, hidden: true}
  names: {type: comma_delimited_list, default: [a, b]}
  sizes: {type: json, default: {a: 1}}
  spare: {type: number, default: 3}
resources:
  first: {type: Contract::Link, properties: {network: {get_param: network}, cidr: 198.18.15.0/24}}
  first_port: {type: OS::Neutron::Port, properties: {network: {get_attr: [first, network]}}}
  second: {type: Contract::Own, properties: {network: "", cidr: 198.18.16.0/24}}
  second_port: {type: OS::Neutron::Port, properties: {network: {get_attr: [second, network]}}}
  server:
    type: OS::Nova::Server
    properties:
      name: {get_param: label}
      image: {get_param: image}
      image_update_policy: {get_param: image_policy}
      flavor: {get_param: flavor}
      metadata: {contract_label: {get_param: label}}
      networks: [{port: {get_resource: first_port}}, {port: {get_resource: second_port}}]
"""

LINK_CREATED = """\
heat_template_version: 2015-10-15
parameters:
  network: {type: string}
  cidr: {type: string}
resources:
  net:
    type: OS::Neutron::Net
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {get_resource: net}
      cidr: {get_param: cidr}
      enable_dhcp: false
outputs:
  network: {value: {get_resource: net}}
"""

LINK_EXISTING = """\
heat_template_version: 2015-10-15
parameters:
  network: {type: string}
  cidr: {type: string}
outputs:
  network: {value: {get_param: network}}
"""

TWO_NETWORKS = """\
heat_template_version: 2015-10-15
resources:
  net_a: {type: OS::Neutron::Net}
  net_b: {type: OS::Neutron::Net}
  subnet_a: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net_a}, cidr: 198.18.17.0/24}}
  subnet_b: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net_b}, cidr: 198.18.18.0/24}}
"""

UNKNOWN_TYPE = """\
heat_template_version: 2015-10-15
resources:
  odd:
    type: OS::Nova::NoSuchThing
"""

UNKNOWN_REFERENCE = """\
heat_template_version: 2015-10-15
resources:
  net:
    type: OS::Neutron::Net
    properties:
      name: {get_resource: missing}
"""

NO_TEMPLATE = "this is: [not, yaml"

APART = """\
heat_template_version: 2015-10-15
parameters:
  image: {type: string}
  flavor: {type: string}
resources:
  net: {type: OS::Neutron::Net}
  subnet:
    type: OS::Neutron::Subnet
    properties: {network: {get_resource: net}, cidr: 198.18.9.0/24, enable_dhcp: false}
  spare:
    type: OS::Neutron::Port
    depends_on: subnet
    properties: {network: {get_resource: net}}
  apart:
    type: OS::Nova::ServerGroup
    properties: {policies: [anti-affinity]}
  server:
    type: OS::Nova::Server
    depends_on: subnet
    properties:
      image: {get_param: image}
      flavor: {get_param: flavor}
      networks: [{network: {get_resource: net}}]
      scheduler_hints: {group: {get_resource: apart}}
"""

SERVER_WITH_VOLUME = """\
heat_template_version: 2015-10-15
parameters:
  image: {type: string}
  flavor: {type: string}
resources:
  net:
    type: OS::Neutron::Net
  subnet:
    type: OS::Neutron::Subnet
    properties: {network: {get_resource: net}, cidr: 198.18.11.0/24, enable_dhcp: false}
  volume:
    type: OS::Cinder::Volume
    properties: {size: 1}
  server:
    type: OS::Nova::Server
    depends_on: subnet
    properties:
      image: {get_param: image}
      flavor: {get_param: flavor}
      networks: [{network: {get_resource: net}}]
  attachment:
    type: OS::Cinder::VolumeAttachment
    properties: {instance_uuid: {get_resource: server}, volume_id: {get_resource: volume}}
"""

SERVER_FROM_VOLUME = """\
heat_template_version: 2015-10-15
parameters:
  image: {type: string}
  flavor: {type: string}
resources:
  net:
    type: OS::Neutron::Net
  subnet:
    type: OS::Neutron::Subnet
    properties: {network: {get_resource: net}, cidr: 198.18.12.0/24, enable_dhcp: false}
  volume:
    type: OS::Cinder::Volume
    properties: {size: 10, image: {get_param: image}}
  server:
    type: OS::Nova::Server
    depends_on: subnet
    properties:
      flavor: {get_param: flavor}
      block_device_mapping_v2: [{volume_id: {get_resource: volume}, boot_index: 0}]
      networks: [{network: {get_resource: net}}]
"""
