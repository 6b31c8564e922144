"""Results as a page: tables in Markdown, plots in SVG."""
