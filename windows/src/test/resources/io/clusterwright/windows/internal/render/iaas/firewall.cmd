@echo off
setlocal DisableDelayedExpansion
rem Opens the firewall of this node for programs of MPI, whatever port they are given. Run it as administrator on
rem every node, from a share that they reach: clusrun /nodegroup:vmcomputenodes \\HEAD\SHARE\firewall.cmd
set failed=0
hpcfwutil register mpipingpong "C:\Program Files\Microsoft MPI\Bin\mpipingpong.exe"
if %errorlevel% neq 0 set failed=1
hpcfwutil register solver "C:\app 100%%\solver.exe"
if %errorlevel% neq 0 set failed=1
exit /b %failed%
