#!/bin/sh
# boot-systemd.sh ROOT: makes ROOT a machine of its own, with systemd as its first process. Called by try-package.sh in new namespaces.
set -eu
root=$1
ip link set lo up
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do cp -a "/dev/$device" "$root/dev/"; done
mkdir -p "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
# PrivateDevices= of units copies it.
ln -s pts/ptmx "$root/dev/ptmx"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
# systemd mounts the root for each service again, which a chroot does not permit.
cd "$root"
mkdir -p mnt/host
pivot_root . mnt/host
umount -l /mnt/host
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=journal --log-level=notice
