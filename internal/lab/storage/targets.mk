# The object storage server for tests of deploys and pulls.
.PHONY: storage-tools replicas

VERSITYGW := $(TOOLS)/bin/versitygw-1.8.0

storage-tools: $(VERSITYGW)

# go install uses the dependencies' versions in versitygw's own go.mod.
$(VERSITYGW):
	GOBIN=$(TOOLS)/bin go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
	mv $(TOOLS)/bin/versitygw $@

replicas: storage-tools ## deploys to a bucket under load, with three pulling replicas, 50 and 1,500 pages, and killed processes: ten minutes
	go test -tags proof -count=1 -v -timeout 30m -run '^TestReplicas$$' ./internal/deploy -args -replica-pages 50,1500 -replica-rounds 20
