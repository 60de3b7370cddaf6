.PHONY: manifests
manifests: ## decode the output of config kubernetes with Kubernetes' own types; unknown keys are errors
	go run ./cmd/vitrine config kubernetes >$(TOOLS)/kubernetes.yaml
	cd internal/lab/manifests && go run . <$(TOOLS)/kubernetes.yaml
	go run ./cmd/vitrine config kubernetes --bucket s3://bucket/prefix >$(TOOLS)/kubernetes.yaml
	cd internal/lab/manifests && go run . <$(TOOLS)/kubernetes.yaml
