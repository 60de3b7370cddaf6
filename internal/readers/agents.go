package readers

// Agent is a program whose operator publishes its name.
type Agent struct {
	// Name is the product's name in User-Agent and in robots.txt (RFC 9309 §2.2.1).
	Name   string
	Family Family
	// RobotsOnly reports whether the name is only for robots.txt, where it controls the use of content that another
	// program reads. No program sends such a name in User-Agent.
	RobotsOnly bool
}

// Agents lists the known programs, grouped by family, each group in alphabetical order. The family of an AI service's
// program follows its operator's documentation. If there is none, it follows the list of
// github.com/ai-robots-txt/ai.robots.txt (August 2026). The list goes out of date, so a site can name other programs in
// site.yaml.
func Agents() []Agent {
	var agents []Agent
	for _, g := range []struct {
		family Family
		names  []string
	}{
		{Search, []string{
			"AdsBot-Google", "Applebot", "Baiduspider", "bingbot", "coccocbot-web", "DuckDuckBot", "Google-InspectionTool",
			"Googlebot", "Googlebot-Image", "GoogleOther", "Kagibot", "MojeekBot", "PetalBot", "Qwantbot", "SeznamBot", "Slurp",
			"Sogou", "Storebot-Google", "YandexBot", "Yeti",
		}},
		{AISearch, []string{
			"Amzn-SearchBot", "Andibot", "AzureAI-SearchBot", "Bravebot", "Claude-SearchBot", "ExaSearchBot", "LinkupBot",
			"meta-webindexer", "OAI-SearchBot", "PerplexityBot", "TavilyBot", "YouBot",
		}},
		{AIUser, []string{
			"Amzn-User", "ChatGPT-User", "Claude-Code", "Claude-User", "cohere-ai", "Devin", "DuckAssistBot", "Gemini-Deep-Research",
			"Google-Agent", "Google-NotebookLM", "GoogleAgent-Mariner", "GoogleAgent-URLContext", "kagi-fetcher", "Kimi-User",
			"Manus-User", "meta-externalfetcher", "MistralAI-User", "NovaAct", "Perplexity-User", "PhindBot", "TongyiBot", "YiyanBot",
		}},
		{Training, []string{
			"AI2Bot", "Amazonbot", "anthropic-ai", "Bytespider", "CCBot", "ChatGLM-Spider", "ClaudeBot", "cohere-training-data-crawler",
			"Cotoyogi", "DeepSeekBot", "Diffbot", "FacebookBot", "Google-CloudVertexBot", "GPTBot", "ICC-Crawler", "img2dataset",
			"LAIONDownloader", "meta-externalagent", "omgili", "PanguBot", "SBIntuitionsBot", "TikTokSpider", "Timpibot",
			"YandexAdditional",
		}},
		{Feeds, []string{
			"Akregator", "BazQux", "CommaFeed", "Elfeed", "Feedbin", "FeedFetcher-Google", "Feedly", "Feedspot", "FreshRSS", "Inoreader",
			"Liferea", "Miniflux", "NetNewsWire", "Newsboat", "NewsBlur", "Nextcloud-News", "QuiteRSS", "Reeder", "RSS", "RSSOwl",
			"selfoss", "theoldreader.com", "Vienna",
		}},
	} {
		for _, name := range g.names {
			agents = append(agents, Agent{Name: name, Family: g.family})
		}
	}
	for _, name := range []string{"Applebot-Extended", "Google-Extended", "Webzio-Extended"} {
		agents = append(agents, Agent{Name: name, Family: Training, RobotsOnly: true})
	}
	return agents
}
