"""Assignments of a course: dates, rules and what their checks are asked for."""
