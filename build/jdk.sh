# Sourced by the launcher, by the build, and by the launcher of an installed Flowstone (as lib/jdk.sh). Finds a JDK 25 or newer
# and exports it as JAVA_HOME, or says what to install and exits 3. An IDE's or a distribution's default `java` is often older,
# so the usual places are searched too. Whoever sets needed_tool=java beforehand is content with a runtime.

java_homes() {
  printf '%s\n' "${JAVA_HOME:-}"
  if on_path=$(command -v java); then dirname "$(dirname "$(readlink -f "$on_path")")"; fi
  printf '%s\n' /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home
  printf '%s\n' "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/*
  if [ -x /usr/libexec/java_home ]; then /usr/libexec/java_home -v 25+ 2>/dev/null || true; fi
}

# A JDK says its version in a file, which is 40 ms quicker than asking it. A JRE could not build.
is_jdk_25() {
  [ -x "$1/bin/${needed_tool:-javac}" ] && [ -r "$1/release" ] || return 1
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  [ "${version:-0}" -ge 25 ]
}

JAVA_HOME=$(java_homes | {
  found=
  while IFS= read -r candidate; do
    if [ -z "$found" ] && is_jdk_25 "$candidate"; then found=$candidate; fi
  done
  printf '%s' "$found"
})

if [ -z "$JAVA_HOME" ]; then
  cat >&2 <<TXT
Flowstone needs a JDK 25 or newer, and found none: not in JAVA_HOME, on PATH, nor in /usr/lib/jvm.
Install one (Debian 13 and Ubuntu: openjdk-25-jdk-headless; Debian 12: Temurin's package temurin-25-jdk;
macOS: brew install openjdk@25), or set JAVA_HOME to where it is.
TXT
  exit 3
fi
export JAVA_HOME

# How Flowstone's JVM runs, trained and in earnest. Its own warnings go to standard error, because standard output is for
# answers. Serial: on few cores the collectors that run beside the program take from it what they save. Half of the heap is
# for what is young, and the heap begins at a sixteenth of the memory: else every collection, which stops all loops, copies
# what a commit later would have been garbage. Compact headers make what is allocated smaller.
java_flags='-Xlog:disable -Xlog:all=warning,aot*=error:stderr -XX:+UseSerialGC -XX:InitialRAMPercentage=6.25 -XX:NewRatio=1 -XX:+UseCompactObjectHeaders'

# Becomes that JVM. It reads arguments and file names in the locale's encoding; in the C locale everything beyond ASCII would
# be lost.
exec_java() {
  case $(locale charmap 2>/dev/null) in
    ANSI_X3.4-1968 | US-ASCII) export LC_ALL=C.UTF-8 ;;
  esac
  # shellcheck disable=SC2086 # flags are words
  exec "$JAVA_HOME/bin/java" ${FLOWSTONE_JAVA_OPTS:-$java_flags} "$@"
}
