.PHONY: manifests
manifests: ## what config kubernetes prints, read by Kubernetes' own types with unknown keys as errors
	go run ./cmd/vitrine config kubernetes >$(TOOLS)/kubernetes.yaml
	cd internal/lab/manifests && go run . <$(TOOLS)/kubernetes.yaml
	go run ./cmd/vitrine config kubernetes --bucket s3://bucket/prefix >$(TOOLS)/kubernetes.yaml
	cd internal/lab/manifests && go run . <$(TOOLS)/kubernetes.yaml
