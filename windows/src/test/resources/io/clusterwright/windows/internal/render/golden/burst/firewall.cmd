@echo off
setlocal DisableDelayedExpansion
rem Opens the firewall of this node for programs of MPI, whatever port they are given. Run it as administrator on
rem every node, from a share that they reach: clusrun /nodegroup:rdma-nodes \\HEAD\SHARE\firewall.cmd
set failed=0
rem The spec names no program in hpcPack.firewall.
exit /b %failed%
