#!/bin/sh
# Builds the package of HEAD for a suite of Debian, in a clean root of that suite, and looks at it with lintian.
#
#   deb.sh [SUITE [FOLDER]]    bookworm, dist
set -eu
. "$(dirname "$0")/clean_root.sh"

folder=$(realpath -m "${2:-$project/dist}")
clean_root "${1:-bookworm}" python3 python3-pip debhelper lintian

number=$(in_root sh -c '. /etc/os-release; echo "$VERSION_ID"')
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$project/pyproject.toml")+deb$number
tree=$root/build/dealer-station
mkdir -p "$tree" "$folder"
git -C "$project" archive HEAD | tar -x -C "$tree"
cp -R "$tree/systemd/debian" "$tree/debian"
cat >"$tree/debian/changelog" <<END
dealer-station ($version) $suite; urgency=medium

  * What it does is in CHANGELOG.md.

 -- $(sed -n 's/^Maintainer: //p' "$tree/debian/control")  $(git -C "$project" log -1 --format=%cD)
END

echo "building dealer-station $version"
# -d: nothing is compiled, so that no compiler is wanted.
in_root sh -c 'cd /build/dealer-station && dpkg-buildpackage -d -b -us -uc' >"$root/build/log" 2>&1 ||
	{ tail -n 30 "$root/build/log" >&2; exit 1; }
package=$(cd "$root/build" && echo dealer-station_*.deb)
in_root lintian --allow-root --fail-on error "/build/$package"
cp "$root/build/$package" "$folder/"
echo "$folder/$package: $(dpkg-deb --field "$folder/$package" Installed-Size) KiB installed"
