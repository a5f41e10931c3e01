# shellcheck shell=sh
# The kind of this machine, and the executable that fits. The install script of the hub has this part, too.

has_systemd() { have systemctl && [ -d "$root/run/systemd/system" ]; }

# Leaves `file`, the executable for this machine, empty where there is none.
find_platform() {
  file=''
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) return 0 ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=amd64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) return 0 ;;
  esac
  if is_musl; then arch=$arch-musl; fi
  file=wakeful-$os-$arch
}

exists() { [ -e "$1" ]; }

# Some systems have both C libraries; there the usual build runs.
is_musl() { exists "$root"/lib/ld-musl-*.so.1 && ! exists "$root"/lib*/ld-linux*.so.*; }
