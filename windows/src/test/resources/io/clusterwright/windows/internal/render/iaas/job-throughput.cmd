@echo off
setlocal DisableDelayedExpansion
rem Measures the throughput between the nodes. Run this on the head node, or where HPC Pack's client utilities are.
rem The head node must hold your password: run hpccred setcreds once. Where it does not, job submit would
rem ask for it and wait for ever; here it finds nothing to read and fails.
call :submit <nul
if %errorlevel% equ 0 exit /b 0
echo The job was not submitted. If a password is missing, run hpccred setcreds and try again. 1>&2
exit /b 1

:submit
job submit /nodegroup:vmcomputenodes /numnodes:4 mpiexec -c 1 -affinity -env MSMPI_DISABLE_SOCK 1 -env MSMPI_PRECONNECT all -env MPICH_NETMASK 172.16.0.0/255.255.0.0 mpipingpong -p 4000000:1000 -op -s nul
exit /b %errorlevel%
