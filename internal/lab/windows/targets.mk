# The programs for Windows, started for real. It is not part of `make proof`, because
# Wine is 700 MB of packages; the workflow ci runs the tests on Windows itself.

.PHONY: windows

windows: ## the programs for Windows on Wine: the same bytes as here, and a working server
	sh internal/lab/windows/run.sh $(TOOLS)/windows
