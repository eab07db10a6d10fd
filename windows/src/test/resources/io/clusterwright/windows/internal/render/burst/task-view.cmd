@echo off
setlocal DisableDelayedExpansion
rem Shows the first task of a job and what it printed: task-view.cmd JOB, the number that job submit printed.
if "%~1"=="" goto usage
for /f "delims=0123456789" %%c in ("%~1") do goto usage
task view %~1.1
exit /b %errorlevel%

:usage
echo Usage: %~nx0 JOB, the number that job submit printed, such as 42 1>&2
exit /b 2
