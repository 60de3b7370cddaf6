# Runs the Windows programs on Wine. It isn't part of `make proof`, because Wine needs 700 MB of packages. The workflow ci
# runs the tests on Windows itself.

.PHONY: windows

windows: ## the Windows programs on Wine: the same bytes as here, and a working server
	sh internal/lab/windows/run.sh $(TOOLS)/windows
