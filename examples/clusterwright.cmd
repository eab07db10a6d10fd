@echo off
rem Starts the clusterwright program; builds it when it was never built. On Windows it is a client: local nodes need Linux.
setlocal
set "HERE=%~dp0"
if not exist "%HERE%target\clusterwright.built" (
  echo Building Clusterwright... 1>&2
  pushd "%HERE%.."
  call mvnw.cmd -B -q -ntp -pl examples -am -Dmaven.test.skip=true -Dspotless.check.skip=true -Djacoco.skip=true package 1>&2 || (popd & exit /b 1)
  popd
  type nul > "%HERE%target\clusterwright.built"
)
rem It cannot tell whether its output goes to a terminal, so that the program filters both streams.
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
"%JAVA%" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dclusterwright.terminal=false -cp "%HERE%target\classes;%HERE%target\lib\*" io.clusterwright.examples.cli.ClusterwrightMain %*
exit /b %ERRORLEVEL%
