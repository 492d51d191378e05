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
