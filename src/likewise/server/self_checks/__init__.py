"""Self-checks: what a student asks before handing in; neither text nor answer is kept for long."""
