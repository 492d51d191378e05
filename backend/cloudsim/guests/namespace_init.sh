# Process 1 of a guest in namespaces, run by the guest's own shell with its root file system as root.
# Does what the system's init would: cloud-init, then the services of runlevel 2; ends by SIGTERM.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8
stop() {
    echo "guest $(hostname): power button"
    for script in $(ls -r /etc/rc2.d/S* 2>/dev/null); do
        case $script in *cloud-*|*rsyslog|*cron|*dbus|*console-setup*|*sudo) continue ;; esac
        [ -x "$script" ] && "$script" stop
    done
    exit 0
}
trap stop TERM
rm -rf /run/* /tmp/* 2>/dev/null
mkdir -p /run/lock /run/sshd
chmod 1777 /run/lock
command -v systemd-tmpfiles >/dev/null && systemd-tmpfiles --create --prefix=/run 2>/dev/null
echo "guest $(hostname): starting"
# Of its own network stack alone: the rest of the kernel is the machine's.
command -v sysctl >/dev/null && sysctl --quiet --system --pattern '^net\.' >/dev/null 2>&1
if command -v cloud-init >/dev/null; then
    cloud-init init --local
    cloud-init init
    cloud-init modules --mode=config
fi
for script in /etc/rc2.d/S*; do
    case $script in *cloud-*|*rsyslog|*cron|*dbus|*console-setup*|*sudo) continue ;; esac
    [ -x "$script" ] && "$script" start
done
command -v cloud-init >/dev/null && cloud-init modules --mode=final
echo "guest $(hostname): up"
while :; do
    sleep 2147483647 &
    wait $!
done
