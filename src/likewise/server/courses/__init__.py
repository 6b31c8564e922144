"""Courses: who teaches in them, who studies, and which assignments they have."""
