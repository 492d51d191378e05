#!/bin/sh
# systemctl for a guest in namespaces, which runs without systemd: the verbs that day 0 scripts use, by /etc/init.d.
verb= units=
for word; do
    case $word in
    -*) ;;
    *) [ -n "$verb" ] && units="$units ${word%.service}" || verb=$word ;;
    esac
done
case $verb in
start | stop | restart | reload | status) ;;
try-restart | reload-or-restart | try-reload-or-restart) verb=restart ;;
is-active) verb=status ;;
enable | disable | mask | unmask | daemon-reload | preset) exit 0 ;;
*) echo "systemctl: no $verb without systemd" >&2 && exit 1 ;;
esac
code=0
for unit in $units; do
    [ -x "/etc/init.d/$unit" ] || { echo "systemctl: no service $unit" >&2; code=5; continue; }
    "/etc/init.d/$unit" "$verb" || code=$?
done
exit $code
