@echo off
setlocal DisableDelayedExpansion
rem Measures the latency between the nodes. Run this on the head node, or where HPC Pack's client utilities are.
rem The head node must hold your password: run hpccred setcreds once. Where it does not, job submit would
rem ask for it and wait for ever; here it finds nothing to read and fails.
call :submit <nul
if %errorlevel% equ 0 exit /b 0
echo The job was not submitted. If a password is missing, run hpccred setcreds and try again. 1>&2
exit /b 1

:submit
job submit /nodegroup:rdma-nodes /numnodes:4 mpiexec -c 1 -affinity mpipingpong -p 1:100000 -op -s nul
exit /b %errorlevel%
