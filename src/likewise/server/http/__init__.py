"""What surrounds the routes: connections, limits, forms, headers, refusals, pages."""
