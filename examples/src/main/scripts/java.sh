# Shared by the two start scripts: finds a JDK, builds when needed, starts a main class.
# shellcheck shell=bash
root=$(cd "$here/.." && pwd)
stamp=$here/target/clusterwright.built

find_java() {
  if [[ -n ${JAVA_HOME:-} && -x $JAVA_HOME/bin/java ]]; then
    echo "$JAVA_HOME/bin/java"
  elif command -v java >/dev/null; then
    command -v java
  else
    echo "No Java found: install a JDK 17 or later (Debian: apt-get install openjdk-17-jdk-headless), or set JAVA_HOME." >&2
    return 1
  fi
}

build_if_stale() {
  if [[ -e $stamp ]] && [[ -z $(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/*/pom.xml "$root"/*/src/main "$root"/*/*/src/main \
      -newer "$stamp" -print -quit 2>/dev/null) ]]; then
    return
  fi
  echo "Building Clusterwright (only when its sources changed)..." >&2
  local maven=mvn log=$here/target/build.log
  if ! command -v mvn >/dev/null; then
    # Without unzip the wrapper takes another archive than the one whose checksum it knows.
    command -v unzip >/dev/null || {
      echo "No Maven found, and no unzip to unpack it: apt-get install unzip (or maven), and start this again." >&2
      return 1
    }
    maven=$root/mvnw
  fi
  mkdir -p "$here/target"
  if ! (cd "$root" && "$maven" -B -q -ntp -pl examples -am -Dmaven.test.skip=true -Dspotless.check.skip=true -Djacoco.skip=true package) >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    echo "The build failed; its whole output is in $log." >&2
    return 1
  fi
  touch "$stamp"
}

run_java() {
  local java terminal=false output=false
  java=$(find_java)
  [[ -t 2 && ${TERM:-dumb} != dumb && -z ${NO_COLOR:-} ]] && terminal=true
  [[ -t 1 ]] && output=true
  exec "$java" --enable-native-access=ALL-UNNAMED -Dclusterwright.examples="$here" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Dclusterwright.terminal=$terminal \
    -Dclusterwright.terminal.output=$output \
    -cp "$here/target/classes:$here/target/lib/*" "$@"
}
