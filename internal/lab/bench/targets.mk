# The benchmarks: builds, then servers, as tables in Markdown. Both install what
# is missing. On a quiet machine RESULT=1 puts the tables into docs/project/benchmarks.md as the first run, and RESULT=2 into
# internal/lab/bench/results/second.md, with plots of them beside each. BUILD_FLAGS and SERVE_FLAGS are handed on.

BENCH       := $(TOOLS)/bench
BENCH_BUILD := go run ./internal/lab/bench/build -hugo $(BENCH)/hugo -node $(NODE24) \
	-eleventy $(BENCH)/eleventy/node_modules/@11ty/eleventy/cmd.cjs
BENCH_SERVE := go run ./internal/lab/bench/serve -caddy $(TOOLS)/bin/caddy

.PHONY: bench bench-quick bench-tools

bench: bench-tools ## every benchmark; RESULT=1 writes it into docs/project/benchmarks.md, RESULT=2 the second run
	$(BENCH_BUILD) $(BUILD_FLAGS) >$(BENCH)/build.md
	$(BENCH_SERVE) $(SERVE_FLAGS) >$(BENCH)/serve.md
	@sh internal/lab/bench/record.sh $(BENCH)/build.md $(BENCH)/serve.md $(if $(filter 2,$(RESULT)),internal/lab/bench/results/second.md,docs/project/benchmarks.md) $(RESULT)

bench-quick: bench-tools ## a look at the benchmarks in two minutes
	$(BENCH_BUILD) -posts 1000 -rounds 3 -parts cold,warm,preview
	$(BENCH_SERVE) -rounds 2 -parts throughput

bench-tools: $(NODE24) host-tools
	sh internal/lab/bench/install.sh $(NODE24) $(BENCH)

.PHONY: scale
scale: $(NODE24) ## what sites of 1,000 to 200,000 posts cost, on a disk; RESULT=1 writes it into docs/project/scale.md
	@mkdir -p $(BENCH)
	go run ./internal/lab/bench/build -node $(NODE24) -hugo "" -eleventy "" -parts scale -dir $(BENCH) $(BUILD_FLAGS) >$(BENCH)/scale.md
	@sh internal/lab/bench/record.sh $(BENCH)/scale.md - docs/project/scale.md $(if $(RESULT),scale)
