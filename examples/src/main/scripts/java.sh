# Shared by the two start scripts: finds a JDK, builds when needed, starts a main class.
# shellcheck shell=bash
# Starts no process that it can do without: a process takes longer than all else here.
root=${here%/*}
# A closed standard input would be the number of the first file that the JVM opens.
[[ -e /dev/fd/0 ]] || exec </dev/null
stamp=$here/target/clusterwright.built
archive=$here/target/clusterwright.jsa
unsigned=$here/target/unsigned
flags=(--enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto)
# Output may be long: the second compiler uses the processor's instructions for AES, and compiles little else, so that a start takes no longer.
streams=(-XX:TieredStopAtLevel=4 -XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000
  -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000
  -XX:CompileCommand=quiet '-XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.provider.*::*,0.02')

# Sets java.
find_java() {
  if [[ -n ${JAVA_HOME:-} && -x $JAVA_HOME/bin/java ]]; then
    java=$JAVA_HOME/bin/java
  elif command -v java >/dev/null; then
    java=java
  else
    echo "No Java found: install a JDK 17 or later (Debian: apt-get install openjdk-17-jdk-headless), or set JAVA_HOME." >&2
    return 1
  fi
}

# Prints one sum of the files that `find` finds from a folder on: of their names and content, so that it is the same in each copy of the folder.
sum() {
  (cd "$1" && find "${@:2}" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum) 2>/dev/null
}

sum_jars() {
  sum "$here" target -maxdepth 2 -name 'clusterwright-*.jar'
}

# Where sources are newer than the stamp, as in a copy or after a look at another branch, the sums of sources and jars tell whether the build
# would make anything else. Where no sum can be made, there is a build. Sets sources.
is_built() {
  local inputs newer
  shopt -s nullglob
  inputs=("$root/pom.xml" "$root"/*/pom.xml "$root"/*/*/pom.xml "$root"/*/src/main "$root"/*/*/src/main "$root"/*/src/start)
  shopt -u nullglob
  if [[ -e $stamp ]]; then
    newer=$(exec find "${inputs[@]}" -newer "$stamp" -print -quit 2>/dev/null) || true
    [[ -n $newer ]] || return 0
  fi
  sources=$(sum "$root" "${inputs[@]#"$root"/}") || sources=''
  if [[ -n $sources && -e $stamp && -e $stamp.jars && $sources == "$(<"$stamp")" && $(sum_jars) == "$(<"$stamp.jars")" ]]; then
    touch "$stamp" 2>/dev/null || true
    return 0
  fi
  return 1
}

# Of commands that are started at the same time, one builds, and the others wait for it.
build_if_stale() {
  local sources='' lock
  is_built && return 0
  mkdir -p "$here/target"
  if command -v flock >/dev/null; then
    exec {lock}>>"$here/target/build.lock"
    if ! flock --nonblock "$lock"; then
      echo "Waiting for another command that builds Clusterwright..." >&2
      flock "$lock"
      if is_built; then
        exec {lock}>&-
        return 0
      fi
    fi
  fi
  build || return
  [[ -z ${lock:-} ]] || exec {lock}>&-
}

build() {
  local maven=mvn log=$here/target/build.log
  echo "Building Clusterwright (only when its sources changed)..." >&2
  if ! command -v mvn >/dev/null; then
    # Without unzip the wrapper takes another archive than the one whose checksum it knows.
    command -v unzip >/dev/null || {
      echo "No Maven found, and no unzip to unpack it: apt-get install unzip (or maven), and start this again." >&2
      return 1
    }
    maven=$root/mvnw
  fi
  # Not after the build, which does not see what is changed meanwhile.
  echo "$sources" >"$stamp.new"
  if ! (cd "$root" && "$maven" -B -q -ntp -pl examples -am -Dmaven.test.skip=true -Dspotless.check.skip=true -Djacoco.skip=true package) >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    echo "The build failed; its whole output is in $log." >&2
    return 1
  fi
  keep_classes
  sum_jars >"$stamp.jars" || true
  mv "$stamp.new" "$stamp"
}

# Sets path to the newest jar of the build and its libraries: by name, as an archive of classes knows the class path that it was made for.
find_classes() {
  local jar newest=$here/target/classes
  for jar in "$here"/target/clusterwright-examples-*.jar; do
    if [[ -e $jar && $jar != *-sources.jar && $jar != *-javadoc.jar && ($newest == */classes || $jar -nt $newest) ]]; then
      newest=$jar
    fi
  done
  path=$newest
  for jar in "$here"/target/lib/*.jar; do
    if [[ -e $unsigned/${jar##*/} ]]; then
      jar=$unsigned/${jar##*/}
    fi
    path+=:$jar
  done
}

# Keeps the classes that commands load in the form of the JVM (class data sharing): they start in half of the time. A JVM that cannot make
# or use the archive starts without, as in a copied folder. JDK 17 crashes when it keeps lambdas that refer to signed or very old classes.
keep_classes() {
  local java path list=$here/target/classes.lst
  find_java
  find_classes
  rm -rf "$archive" "$list".* "$unsigned"
  (
    ulimit -c 0
    exec </dev/null >"$here/target/archive.log" 2>&1
    # OpenJDK accepts ciphers without a signature. Where a JDK does not, the signed jars stay.
    "$java" "${flags[@]}" -cp "$path" io.clusterwright.examples.start.UnsignedJar "$unsigned" "$here"/target/lib/*.jar &&
      find_classes && train on-nodes io.clusterwright.examples.start.StartTraining || {
      rm -rf "$unsigned"
      find_classes
      train on-nodes io.clusterwright.examples.start.StartTraining
    }
    train validate io.clusterwright.examples.cli.ClusterwrightMain validate "$here/specs/quickstart.yaml" &
    CLUSTERWRIGHT_STATE=$here/target/training train plan io.clusterwright.examples.cli.ClusterwrightMain \
      plan "$here/specs/quickstart.yaml" --on emulator
    wait
    rm -rf "$here/target/training"
    sort -u "$list".* | grep -v -E '^@.*(bouncycastle|picocli|com/azure)' >"$list"
    "$java" "${flags[@]}" -Xshare:dump -XX:SharedClassListFile="$list" -XX:SharedArchiveFile="$archive" \
      -XX:ErrorFile="$here/target/archive-error.log" -cp "$path"
  ) || rm -f "$archive"
}

# Lists the classes that a main class loads: train NAME MAIN ARGUMENT...
train() {
  "$java" "${flags[@]}" -XX:DumpLoadedClassList="$list.$1" -cp "$path" "${@:2}"
}

# The archive is mapped where it was made for, as by default until JDK 17: to move it touches each of its pages. Pages of 2 MiB make most of the
# page faults of a start go away; a kernel without them would make the JVM complain.
use_archive() {
  local pages=''
  flags+=(-XX:SharedArchiveFile="$archive" -Xlog:cds=off -Xlog:class+path=off
    -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0)
  if [[ -r /sys/kernel/mm/transparent_hugepage/enabled ]]; then
    read -r pages </sys/kernel/mm/transparent_hugepage/enabled || true
  fi
  [[ $pages != *'[madvise]'* ]] || flags+=(-XX:+UseTransparentHugePages)
}

# Where the locale knows ASCII alone, as in cron and in containers, the JVM would replace other letters of arguments and paths.
use_utf8() {
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX)
      unset LC_ALL
      export LC_CTYPE=C.UTF-8
      ;;
  esac
}

run_java() {
  local java path terminal=false output=false error=false
  use_utf8
  find_java
  find_classes
  [[ -t 2 && ${TERM:-dumb} != dumb && -z ${NO_COLOR:-} ]] && terminal=true
  [[ -t 1 ]] && output=true
  [[ -t 2 ]] && error=true
  [[ -e $archive ]] && use_archive
  # A copy is long enough for the second compiler, which uses the processor's instructions for AES.
  [[ ${2:-} == cp ]] && flags+=(-XX:TieredStopAtLevel=4)
  [[ ${2:-} == mpi || ${2:-} == run || ${2:-} == output ]] && flags+=("${streams[@]}")
  exec "$java" "${flags[@]}" -Dclusterwright.examples="$here" -Dclusterwright.terminal=$terminal \
    -Dclusterwright.terminal.output=$output -Dclusterwright.terminal.error=$error -cp "$path" "$@"
}
