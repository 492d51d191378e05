"""Words that begin a leaf in the classic command line of SR OS, from its configuration guides.

As on a router, a line with another word, such as `no shutdwon`, is rejected.
"""

_WORDS = """
accept-from-ebgp access action address admin-key advertise-inactive advertise-subnet aggregate always-compare-med
area-id area-range arp-timeout as-override as-path as-path-ignore auth-keychain authentication authentication-key
authentication-type auto-config-save autonegotiate autonomous-system bandwidth banner best-path-selection bfd bfd-enable
boot-bad-exec boot-good-exec card-type clli-code cluster collect-stats community config-backup connect-retry console
contact coordinates cost crc-monitor damp-peer-oscillations damping dead-interval default-action default-metric
description dns down-when-looped dst-ip dst-port ecmp egress enable-peer-tracking encap-type encap-value ethernet
exponential-backoff export export-policy external-preference family filter flow-control from ftp-server gateway
graceful-restart graceful-shutdown group grpc hash hello-authentication hello-interval hold-down hold-time host
ibgp-multipath icmp idle-timeout igmp igp-shortcut import inbound-max-sessions ingress interface-type ip-mtu keepalive
l2pt-termination lacp ldp level level-capability lldp load-balancing-algorithm local-address local-as local-preference
local-proxy-arp location log-id loop-detect loopback lsa-arrival lsa-generate lsp-lifetime lsp-wait mac match max-routes
mda-type med-out memory metric min-route-advertisement minimum-ttl mode motd mpls mtu multicast multihop multipath name
netconf next-hop next-hop-self next-hop-unchanged notify-community nssa ntp ntp-server outbound-max-sessions overload
overload-export-external overload-on-boot packet-size passive password path-mtu peer peer-as peer-tracking-policy pim
port port-threshold pre-login-message preference prefix prefix-limit prefix-list primary-config primary-dns priority
profile protocol proxy-arp-policy public-key rapid-withdrawal rate read reference-bandwidth remove-private
retransmit-interval rib-management route-distinguisher route-refresh route-target router-id rsvp scheduler-policy
secondary-config security-level server session session-limit shutdown snmp sntp source-address speed spf-wait
split-horizon src-ip src-port ssh-server static-route static-route-entry stub syslog system-id target tcp-mss
telnet-server timezone to traffic-engineering transport-address trap-group trap-target ttl ttl-security tunnel type
unnumbered urpf-check version vpn-ipv4 vrf-export vrf-import vrf-target weight
"""
LEAVES = frozenset(_WORDS.split())
