"""Words that begin a leaf in SR OS' classic command line, from its configuration guides.

A line with another word, such as `no shutdwon`, is refused, as a router does.
"""

_WORDS = """
accept-from-ebgp access action address admin-key advertise-inactive aggregate area-id arp-timeout as-override
auth-keychain authentication authentication-key authentication-type auto-config-save autonegotiate autonomous-system
bandwidth banner bfd bfd-enable boot-bad-exec boot-good-exec card-type clli-code cluster collect-stats community
config-backup connect-retry contact coordinates damping dead-interval default-action default-metric description dns
dst-ip dst-port ecmp egress encap-type encap-value exponential-backoff export export-policy family filter flow-control
from ftp-server gateway graceful-restart group grpc hash hello-interval hold-time host icmp idle-timeout import
inbound-max-sessions ingress interface-type keepalive level level-capability load-balancing-algorithm local-address
local-as location loopback mac match max-routes mda-type med-out metric mode motd mtu multicast multihop multipath name
netconf next-hop next-hop-self notify-community ntp-server outbound-max-sessions overload overload-on-boot packet-size
passive password path-mtu peer peer-as port port-threshold pre-login-message preference prefix prefix-limit prefix-list
primary-config primary-dns priority profile protocol public-key rate read reference-bandwidth remove-private
retransmit-interval route-distinguisher route-target router-id scheduler-policy secondary-config security-level server
session-limit shutdown source-address speed split-horizon src-ip src-port ssh-server static-route static-route-entry
syslog tcp-mss telnet-server to traffic-engineering transport-address trap-target ttl ttl-security tunnel type
unnumbered version vrf-export vrf-import vrf-target weight
"""
LEAVES = frozenset(_WORDS.split())
