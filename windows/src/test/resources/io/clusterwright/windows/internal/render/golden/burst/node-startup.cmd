@echo off
setlocal DisableDelayedExpansion
rem Start-up script of new nodes: opens their firewall for programs of MPI before the first job. Name it in the
rem node template; it may run more than once.
set failed=0
set log=%TEMP%\clusterwright-startup.log
call :register >"%log%" 2>&1 <nul
if %failed% neq 0 type "%log%" 1>&2
exit /b %failed%

:register
rem The spec names no program in hpcPack.firewall.
exit /b 0
