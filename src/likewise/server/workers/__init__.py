"""The processes that do jobs: started, watched and replaced."""
