@echo off
rem Finds muniment's hook and runs it; where nothing is installed it ends well and says nothing.
where /q muniment-hook && muniment-hook %*
exit /b 0
