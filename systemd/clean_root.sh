# A clean Debian in a folder of its own, for the scripts that build or try something in one; they source this, as root.
#
#   clean_root SUITE PACKAGES...    makes it, as "$root", which goes with the script however that ends
#   in_root COMMAND...              runs something in it
#
# The package mirrors and the certificate store of this machine are taken along where files below /etc configure them.
project=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)

[ "$(id -u)" = 0 ] || { echo "$0 builds a system root and needs to be root" >&2; exit 1; }
for command in debootstrap unshare git; do
	command -v "$command" >/dev/null || { echo "$0 needs $command: install it first (\"apt-get install $command\")" >&2; exit 1; }
done
# What is mounted below the root goes with this process.
[ "${OWN_MOUNTS:-}" = "$$" ] || OWN_MOUNTS=$$ exec unshare --mount --propagation private "$0" "$@"

leave() { # with the exit code that was on its way
	code=$?
	umount --recursive --lazy "$root/proc" "$root/dev" 2>/dev/null || true
	rm -rf --one-file-system "$root"
	exit $code
}

clean_root() {
	suite=$1
	shift
	root=$(mktemp -d "${TMPDIR:-/var/tmp}/clean-root.XXXXXX")
	chmod 755 "$root" # apt fetches as a user of its own
	trap leave EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM

	echo "building a Debian $suite with $*"
	base=$project/.tools/$suite.tar # half a day old at most
	if [ -n "$(find "$base" -mmin -720 2>/dev/null)" ]; then
		tar -x --numeric-owner -C "$root" -f "$base"
	else
		mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
			sed -n -E 's/^(URIs:|deb)( +\[[^]]*\])? +([a-z]+:[^ ]*).*/\3/p' | head -n 1)
		debootstrap --variant=minbase "$suite" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 ||
			{ tail -n 5 "$root.log" >&2; rm -f "$root.log"; exit 1; }
		rm -f "$root.log"
		mkdir -p "$project/.tools"
		tar -c --numeric-owner -C "$root" -f "$base.$$" . && mv "$base.$$" "$base"
	fi

	# The lists of the root's own Debian are replaced, for one that is behind a mirror reaches no other.
	rm -f "$root"/etc/apt/sources.list
	for path in etc/apt etc/pip.conf etc/uv etc/ssl/certs etc/hosts etc/resolv.conf usr/local/share/ca-certificates; do
		[ -e "/$path" ] || continue
		mkdir -p "$root/$(dirname "$path")"
		cp -RL --remove-destination "/$path" "$root/$(dirname "$path")" 2>/dev/null || true # links in the store that lead nowhere
	done
	for path in "$root"/etc/apt/apt.conf.d/*; do # what a package of this machine has put there is that package's
		! dpkg --search "${path#"$root"}" >/dev/null 2>&1 || rm "$path"
	done
	codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	find "$root/etc/apt" \( -name '*.sources' -o -name '*.list' \) -exec sed -i "s/\b$codename\b/$suite/g" {} +

	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	# Not by debootstrap, which knows no alternatives and no order.
	in_root sh -c 'apt-get --quiet --quiet update && apt-get --yes --quiet --quiet --no-install-recommends install "$@"' \
		sh "$@" >"$root/install.log" 2>&1 || { tail -n 5 "$root/install.log" >&2; exit 1; }
	rm "$root/install.log"
}

in_root() {
	env --ignore-environment HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
