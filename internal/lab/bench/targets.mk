# The benchmarks: builds, then servers, as tables in Markdown. bench and bench-quick install missing tools. Use RESULT only
# on a quiet machine: RESULT=1 writes the tables and their plots to internal/lab/bench/results/first.md, and RESULT=2 to
# second.md in the same folder. BUILD_FLAGS and SERVE_FLAGS are passed on.

BENCH       := $(TOOLS)/bench
BENCH_BUILD := go run ./internal/lab/bench/build -hugo $(BENCH)/hugo -node $(NODE24) \
	-eleventy $(BENCH)/eleventy/node_modules/@11ty/eleventy/cmd.cjs
BENCH_SERVE := go run ./internal/lab/bench/serve -caddy $(TOOLS)/bin/caddy

.PHONY: bench bench-quick bench-tools

bench: bench-tools ## run every benchmark; RESULT=1 writes internal/lab/bench/results/first.md, RESULT=2 second.md
	$(BENCH_BUILD) $(BUILD_FLAGS) >$(BENCH)/build.md
	$(BENCH_SERVE) $(SERVE_FLAGS) >$(BENCH)/serve.md
	@sh internal/lab/bench/record.sh $(BENCH)/build.md $(BENCH)/serve.md internal/lab/bench/results/$(if $(filter 2,$(RESULT)),second,first).md $(RESULT)

bench-quick: bench-tools ## run a two-minute overview of the benchmarks
	$(BENCH_BUILD) -posts 1000 -rounds 3 -parts cold,warm,preview
	$(BENCH_SERVE) -rounds 2 -parts throughput

bench-tools: $(NODE24) host-tools
	sh internal/lab/bench/install.sh $(NODE24) $(BENCH)

.PHONY: photos
photos: bench-tools ## compare the copies of 500 photographs with the copies of other programs; BUILD_FLAGS="-posts 100" for fewer
	$(BENCH_BUILD) -sharp $(BENCH)/sharp/copies.mjs -parts photos $(BUILD_FLAGS)

.PHONY: scale
scale: $(NODE24) ## measure sites of 1,000 to 200,000 posts on a disk; RESULT=1 writes internal/lab/bench/results/scale.md
	@mkdir -p $(BENCH)
	go run ./internal/lab/bench/build -node $(NODE24) -hugo "" -pagefind "" -eleventy "" -parts scale -dir $(BENCH) $(BUILD_FLAGS) >$(BENCH)/scale.md
	@sh internal/lab/bench/record.sh $(BENCH)/scale.md - internal/lab/bench/results/scale.md $(if $(RESULT),scale)
