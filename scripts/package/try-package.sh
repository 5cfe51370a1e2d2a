#!/bin/bash
# shellcheck disable=SC2016 # Scripts for the machines are in single quotes: they expand there.
# try-package.sh DEB [NEWER_DEB]: installs the package on a bare Debian 12 in a folder, first without systemd, then with it, starts the
# server, updates, removes and purges it. Needs root and debootstrap. The bare system is kept in $CACHE for the next run.
set -euo pipefail
[[ $# -ge 1 ]] || { sed -n '3,4s/^# //p' "$0"; exit 2; }
deb=$(readlink -f "$1"); newer=$(readlink -f "${2:-$1}"); here=$(dirname -- "$(readlink -f -- "$0")")
CACHE=${CACHE:-${TMPDIR:-/tmp}/phlix-try-package}
mkdir -p "$CACHE"
run=$(mktemp -d "$CACHE/run.XXXXXX")

step() { printf '%s\n' "- $*" >&2; }

# Mounts of the machines are in namespaces of their own and end with them.
finish() {
  [[ -z ${unshared:-} ]] || pkill -9 -P "$unshared" || true
  umount -l "$run"/*/proc "$run"/*/dev/pts 2>/dev/null || true
  rm -rf --one-file-system "$run"
}
trap finish EXIT

make_base() { # NAME PACKAGES...
  local base=$CACHE/$1 mirror
  [[ -e $base.ready ]] && return
  step "making the bare system $1, once"
  mirror=$(sed -n 's/^URIs: //p;s/^deb [^h]*\(http[^ ]*\).*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1 || true)
  rm -rf "$base"
  debootstrap --variant=minbase --include="ca-certificates,adduser${2:+,$2}" bookworm "$base" "$mirror" >"$base.log"
  cp -L /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/"
  touch "$base.ready"
}

new_machine() { # NAME BASE
  cp -a --reflink=auto "$CACHE/$2" "$run/$1"
  cp -L /etc/resolv.conf /etc/hosts "$run/$1/etc/"
  echo force-unsafe-io >"$run/$1/etc/dpkg/dpkg.cfg.d/fast"
  cp "$deb" "$run/$1/root/first.deb"; cp "$newer" "$run/$1/root/second.deb"
  for device in null zero full random urandom; do [[ -e $run/$1/dev/$device ]] || cp -a "/dev/$device" "$run/$1/dev/"; done
  mount -t proc proc "$run/$1/proc"
  mount -t devpts devpts "$run/$1/dev/pts"
}

# Processes of the account of the service. The bare system has no pgrep.
# The answer of a path of the server, whose tools are those of the bare system.
ASK='
is_idle() { local process owner; for process in /proc/[0-9]*; do owner=$(stat -c %U "$process" 2>/dev/null || true); if [[ $owner == phlix || $owner == UNKNOWN ]]; then echo "$process is left: $(tr "\0" " " <"$process/cmdline")" >&2; return 1; fi; done; }
# Not with an exclamation mark, which keeps the script from ending.
stopped_in_order() { if grep "was not properly shut down" /var/lib/phlix/logs/postgres.log; then return 1; fi; }
ask() { perl -MIO::Socket::INET -e '\''my $s = IO::Socket::INET->new("127.0.0.1:8096") or exit 1; print $s "GET $ARGV[0] HTTP/1.0\r\n\r\n"; local $/; my $r = <$s>; print $r; exit($r !~ m{^HTTP/1.1 200})'\'' "$1"; }
until_ready() { for _ in $(seq 600); do if ask /readyz >/dev/null; then return 0; fi; sleep 0.2; done; echo "the server is not ready" >&2; return 1; }'

without_systemd() {
  step 'a machine without systemd: installing, and updating'
  make_base minimal ''
  new_machine plain minimal
  chroot "$run/plain" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive bash -euo pipefail -c '
    apt-get install -y -qq --no-install-recommends /root/first.deb >/dev/null 2>&1
    [[ $(stat -c "%a %U" /etc/phlix/jwt-secret /var/lib/phlix | tr "\n" " ") == "600 root 700 phlix " ]]
    dpkg --verify phlix
    phlix version
    secret=$(cat /etc/phlix/jwt-secret)
    dpkg --install /root/second.deb >/dev/null
    [[ $secret == "$(cat /etc/phlix/jwt-secret)" ]]'
}

inside() { nsenter --target "$init" --mount --pid --uts --ipc --net --cgroup --root --wd env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive bash -euo pipefail -c "$ASK
$1"; }

with_systemd() {
  step 'a machine with systemd: booting'
  make_base systemd systemd,dbus,libdbus-1-3
  new_machine booted systemd
  umount "$run/booted/dev/pts" "$run/booted/proc"
  unshare --mount --net --pid --fork --cgroup --uts --ipc "$here/try/boot-systemd.sh" "$run/booted" >"$run/boot.log" 2>&1 &
  unshared=$!
  for _ in $(seq 100); do init=$(pgrep -P "$unshared" || true); [[ -n $init ]] && inside 'systemctl is-system-running --wait' >/dev/null 2>&1 && break; sleep 0.3; done
  inside 'systemctl is-system-running'
  # Nested systems cannot always hand out credentials; the service then reads a copy of the secret.
  inside 'systemd-run --quiet --wait --pipe -p User=nobody -p LoadCredential=a:/etc/hosts sh -c "cat \$CREDENTIALS_DIRECTORY/a" >/dev/null 2>&1 || {
    mkdir -p /run/systemd/system/phlix.service.d
    printf "[Service]\nLoadCredential=\nEnvironment=JWT_SECRET_FILE=/var/lib/phlix/secret\nExecStartPre=+install -o phlix -m 0400 /etc/phlix/jwt-secret /var/lib/phlix/secret\n" >/run/systemd/system/phlix.service.d/secret.conf
  }'
  step 'installing: the server starts'
  inside 'apt-get install -y -qq --no-install-recommends /root/first.deb >/dev/null 2>&1
    systemctl is-enabled phlix; until_ready || { journalctl -u phlix --no-pager | tail -20; false; }
    systemctl is-active phlix
    systemctl show phlix -p Type -p StatusText -p NotifyAccess -p WatchdogUSec
    systemd-analyze security phlix.service --no-pager | tail -1
    phlix user:create ann --email ann@example.test --admin --password-stdin --quiet <<<"correct horse battery"
    phlix library:list; echo "# edited" >>/etc/phlix/config.toml'
  step 'a restart, and a crash'
  inside 'before=$(systemctl show phlix -p MainPID --value); systemctl restart phlix; until_ready
    stopped_in_order
    kill -9 "$(systemctl show phlix -p MainPID --value)"; sleep 3; until_ready; systemctl show phlix -p NRestarts'
  step 'a server that hangs is killed by the watchdog and started again'
  inside 'kill -STOP "$(systemctl show phlix -p MainPID --value)"
    for _ in $(seq 120); do [[ $(systemctl show phlix -p NRestarts --value) == 2 ]] && break; sleep 1; done
    [[ $(systemctl show phlix -p NRestarts --value) == 2 ]]; until_ready; journalctl -u phlix --no-pager | grep -i watchdog | head -2'
  step 'the units of the timers'
  inside 'systemctl start phlix-scan@nowhere.service || systemctl show phlix-scan@nowhere -p ExecMainStatus'
  step 'an update keeps the data and the edited configuration'
  inside 'secret=$(cat /etc/phlix/jwt-secret); dpkg --install /root/second.deb >/dev/null; until_ready
    [[ $secret == "$(cat /etc/phlix/jwt-secret)" ]]; grep -q "# edited" /etc/phlix/config.toml; phlix user:list --plain | grep -q ann
    stopped_in_order'
  step 'removed: no process, but the data'
  inside 'apt-get remove -y -qq phlix >/dev/null
    is_idle; [[ -d /var/lib/phlix/postgres && -s /etc/phlix/jwt-secret ]]; [[ ! -e /usr/lib/phlix ]]'
  step 'installed again: the account is there'
  inside 'dpkg --install /root/second.deb >/dev/null; until_ready; phlix user:list --plain | grep -q ann'
  step 'purged: nothing left'
  inside 'dpkg --purge phlix >/dev/null; [[ ! -e /var/lib/phlix && ! -e /etc/phlix ]]; is_idle; find / -xdev -name "*phlix*" -not -path "/root/*" -not -path "/var/log/*" -not -path "/var/lib/systemd/*" -not -path "/tmp/*"'
}

without_systemd
with_systemd
step 'the package works'
