#!/bin/sh
# Find a Chromium for the tests that drive one, or get one. Without any, those tests say so and are skipped.
python=$1
[ -n "$CHROMIUM" ] && exit 0
command -v chromium >/dev/null 2>&1 && exit 0
command -v chromium-browser >/dev/null 2>&1 && exit 0
"$python" -m playwright install chromium >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -qq >/dev/null 2>&1
  apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1 && exit 0
fi
echo "No Chromium was found or could be installed: the browser tests will be skipped." >&2
exit 0
