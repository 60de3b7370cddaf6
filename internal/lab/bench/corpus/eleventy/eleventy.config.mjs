// Builds HTML and Markdown of every post, tag pages, a feed, and a sitemap.
export default function (config) {
	config.addFilter("day", (date) => date.toISOString().slice(0, 10));
	config.addFilter("newest", (posts) => posts.slice(-50).reverse());
	return {
		dir: { input: "content", includes: "../layouts" },
		// The posts are plain Markdown, without a template language.
		markdownTemplateEngine: false,
	};
}
