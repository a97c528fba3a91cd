#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs programs on an emulated processor with AVX-512, by bochs with Debian's kernel.
set -eu

usage() {
    cat <<'END'
usage: emulate_avx512.sh [--install] [--kernel FILE] LIST

Boots Debian's kernel on an Intel Skylake-X that bochs emulates, runs the
commands of the file LIST there and prints what they print. A line of LIST is a
command: a program of this machine, linked statically, and its arguments. There
are no other files. It takes a minute of a processor, and what the commands take:
some 30 million instructions a second.
Exit code 0: all commands ended with 0; 1: one did not, or the machine stopped
before; 77: what it needs is not installed, with a line that says so.

  --install      first install bochs, isolinux, xorriso and cpio and fetch a
                 kernel, with apt-get
  --kernel FILE  a kernel; default: the newest that is installed or was fetched
END
}

install= kernel= list=
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=1 ;;
    --kernel)
        [ $# -gt 1 ] || { usage >&2 && exit 2; }
        kernel=$2
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    -*) usage >&2 && exit 2 ;;
    *) list=$1 ;;
    esac
    shift
done
[ -n "$list" ] || { usage >&2 && exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernels=${XDG_CACHE_HOME:-$HOME/.cache}/stiction/kernel
if [ -n "$install" ]; then
    (
        apt-get install -qy --no-install-recommends bochs bochsbios vgabios isolinux syslinux-common xorriso cpio &&
            mkdir -p "$kernels/fetched" && cd "$kernels/fetched" &&
            newest=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: //p' | head -n 1) &&
            apt-get download "$newest" && dpkg -x "$newest"_*.deb . && rm "$newest"_*.deb
    ) >"$work/log" 2>&1 </dev/null || {
        tail -n 5 "$work/log"
        exit 1
    }
fi
if [ -z "$kernel" ]; then
    # shellcheck disable=SC2012 # names of kernels
    kernel=$(ls -t "$kernels"/fetched/boot/vmlinuz-* /boot/vmlinuz-*-amd64 2>/dev/null | head -n 1)
fi
missing=
for tool in bochs xorriso cpio; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
[ -f /usr/lib/ISOLINUX/isolinux.bin ] || missing="$missing isolinux"
[ -f "$kernel" ] || missing="$missing a kernel"
if [ -n "$missing" ]; then
    echo "avx512   skipped:$missing not installed"
    exit 77
fi

# the init program: runs one command after the other and powers off
cat >"$work/init.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/io.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
int main(void) {
    char line[4096];
    FILE *list = fopen("/list", "r");
    for (int k = 0; list && fgets(line, sizeof line, list); k++) {
        char *words[64];
        size_t n = 0;
        for (char *w = strtok(line, " \n"); w && n < 63; w = strtok(NULL, " \n")) words[n++] = w;
        words[n] = NULL;
        int status = -1;
        const pid_t child = fork();
        if (child == 0) {
            execv(words[0], words);
            _exit(127);
        }
        waitpid(child, &status, 0);
        printf("ended %d %d\n", k, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        fflush(stdout);
        tcdrain(1);
    }
    sleep(1);
    iopl(3);
    for (const char *c = "Shutdown"; *c; c++) outb((unsigned char)*c, 0x8900);
    for (;;) pause();
}
END
mkdir -p "$work/files" "$work/disk/isolinux"
cc -O1 -static "$work/init.c" -o "$work/files/init"
count=0
while read -r program arguments; do
    cp "$program" "$work/files/$count"
    echo "/$count $arguments" >>"$work/files/list"
    count=$((count + 1))
done <"$list"
(cd "$work/files" && find . -type f | cpio -o -H newc -R 0:0 2>/dev/null | gzip -1) >"$work/disk/isolinux/root.gz"
cp "$kernel" "$work/disk/isolinux/linux"
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$work/disk/isolinux"
# without XSAVEC and XSAVES (321, 323), of which bochs gives the size of another layout: the kernel would then go
# without any wide registers
cat >"$work/disk/isolinux/isolinux.cfg" <<'END'
default linux
prompt 0
label linux
kernel linux
append initrd=root.gz console=ttyS0 quiet loglevel=0 rdinit=/init mitigations=off lsm= audit=0 random.trust_cpu=on clearcpuid=321,323 panic=1
END
xorriso -as mkisofs -quiet -o "$work/disk.iso" -b isolinux/isolinux.bin -c isolinux/boot.cat -no-emul-boot \
    -boot-load-size 4 -boot-info-table "$work/disk" 2>/dev/null
cat >"$work/bochsrc" <<END
megs: 256
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
cpu: model=corei7_skylake_x, count=1, ips=50000000, reset_on_triple_fault=0
display_library: rfb, options="timeout=0"
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path=$work/disk.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial
log: $work/log
clock: sync=none
panic: action=fatal
error: action=ignore
info: action=ignore
END
echo continue >"$work/start" # bochs waits in its debugger
bochs -q -f "$work/bochsrc" -rc "$work/start" >"$work/out" 2>&1 </dev/null || true
tr -d '\r' <"$work/serial" | grep -v '^\[ *[0-9.]*\]' >"$work/printed" || true
grep -v '^ended ' "$work/printed" || true
good=$(grep -c '^ended [0-9]* 0$' "$work/printed" || true)
if [ "$good" -ne "$count" ]; then
    echo "avx512   FAILED: $good of $count commands ended well"
    exit 1
fi
